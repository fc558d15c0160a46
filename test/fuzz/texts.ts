import * as fc from "fast-check";

import { decideDomain, parseAllowedDomain } from "../../src/access/allowed-domain.ts";
import { callerAddressKey, clientAddress, parseTrustedProxies } from "../../src/access/client-address.ts";
import { newEmbedToken, parseBearer, parseEmbedToken } from "../../src/access/secrets.ts";
import { ConfigError, loadConfig } from "../../src/config/config.ts";
import { SETTING_NAMES, variableOf } from "../../src/config/settings.ts";
import { secureRandomBytes } from "../../src/domain/ids.ts";
import { anyText } from "./odd.ts";
import { type Batches, batchesOf, type Report } from "./report.ts";

const HOST = "acme.example";
const TOKEN = newEmbedToken(secureRandomBytes);

/** Texts near what is meant, and far from it. */
const anyCredential = fc.oneof(
  anyText,
  fc
    .tuple(fc.nat({ max: TOKEN.length }), anyText)
    .map(([at, odd]) => TOKEN.slice(0, at) + odd + TOKEN.slice(at + 1)),
);
const anyDomain = fc.oneof(
  anyText,
  fc
    .tuple(
      fc.constantFrom("", "https://", "http://", "HTTPS:\\\\", "//", "https://user@"),
      fc.constantFrom("", "*.", "www.", "evil-"),
      fc.constantFrom(HOST, "ACME.example.", "acme.example.evil", "[::1]", "127.1"),
      fc.oneof(fc.constantFrom("", ":443", ":8443", "/", "/x", "?"), anyText),
    )
    .map((parts) => parts.join("")),
);
const anyAddress = fc.oneof(
  anyText,
  fc.ipV4(),
  fc.ipV6(),
  fc.ipV4().map((text) => `${text}/8`),
  fc.ipV4Extended(),
);

type Check = (one: string, other: string, setting: number) => string | undefined;

/** What each rule must hold to for any texts; a sentence where it does not. */
const CHECKS: Record<string, { texts: fc.Arbitrary<string>; check: Check }> = {
  token: {
    texts: anyCredential,
    check: (text) => {
      const credential = parseBearer(`Bearer ${text}`);
      const parsed = parseEmbedToken(credential ?? text);
      return parsed === undefined || /^parley_et_[0-9A-Za-z]{36}$/.test(parsed)
        ? undefined
        : `took ${parsed}`;
    },
  },
  domain: { texts: anyDomain, check: checkDomain },
  address: {
    texts: anyAddress,
    check: (forwarded, peer) => {
      const trusted = parseTrustedProxies(peer);
      const proxies = trusted.ok ? trusted.proxies : [];
      const address = clientAddress("127.0.0.1", forwarded, proxies);
      callerAddressKey(clientAddress(peer, forwarded, proxies));
      return trusted.ok || address === "127.0.0.1" ? undefined : `believed ${address}`;
    },
  },
  setting: { texts: fc.oneof(anyText, anyAddress, anyDomain), check: checkSetting },
};

/** An origin that is admitted for a host has, by the parser of browsers, this host. */
function checkDomain(entry: string, origin: string): string | undefined {
  parseAllowedDomain(entry);
  const rule = parseAllowedDomain(HOST);
  if (!rule.ok || !decideDomain([rule.rule], { origin, referer: undefined }).allowed) return undefined;
  const host = URL.parse(origin)?.hostname.replace(/\.$/, "");
  return host === HOST ? undefined : `${HOST} admits ${origin}`;
}

function checkSetting(value: string, _: string, setting: number): string | undefined {
  const name = variableOf(SETTING_NAMES[setting % SETTING_NAMES.length]!);
  try {
    loadConfig({ flags: {}, env: { [name]: value }, readFile: () => value });
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
  }
  return undefined;
}

/** Gives odd tokens, domains, addresses and settings to the rules that read them. */
export function fuzzTexts(report: Report, batches: Batches): void {
  const names = Object.keys(CHECKS);
  for (const [index, name] of names.entries()) {
    const { texts, check } = CHECKS[name]!;
    const share = {
      ...batches,
      seed: batches.seed + index,
      inputs: Math.floor(batches.inputs / names.length),
    };
    for (const batch of batchesOf(fc.tuple(texts, texts, fc.nat()), share)) {
      for (const [one, other, setting] of batch) {
        report.count("texts");
        const finding = attempt(() => check(one, other, setting));
        if (finding !== undefined)
          report.note(name, `${finding} for ${JSON.stringify([one, other, setting])}`);
      }
    }
  }
}

function attempt(check: () => string | undefined): string | undefined {
  try {
    return check();
  } catch (error) {
    return (error as Error).stack ?? String(error);
  }
}
