import type { BotDocument, BotProblem } from "../domain/bot.ts";
import {
  defaultPortOf,
  isIpHost,
  isWebScheme,
  parseHostAndPort,
  parseWebOrigin,
  splitScheme,
  type WebOrigin,
  type WebScheme,
} from "./web-origin.ts";

/** One entry of `allowedDomains`, parsed. `entry` is what the operator wrote, for log lines. */
export type DomainRule =
  | { kind: "any"; entry: string }
  | {
      kind: "host";
      entry: string;
      /** Canonical, as in `WebOrigin`. */
      host: string;
      /** True: the subdomains of `host` at any depth, and not `host` itself. */
      subdomains: boolean;
      /** Undefined: http or https. */
      scheme: WebScheme | undefined;
      /** Undefined: any. */
      port: number | undefined;
    };

export type ParsedDomain = { ok: true; rule: DomainRule } | { ok: false; message: string };

/**
 * Reads one entry of `allowedDomains`. With a scheme it is an origin, so that without a port it means
 * the scheme's own; without either it means any. `message` says what is wrong and what would be right.
 */
export function parseAllowedDomain(entry: string): ParsedDomain {
  if (entry === "*") return { ok: true, rule: { kind: "any", entry } };
  const { scheme, authority } = splitScheme(entry);
  const message = findFault(entry, scheme, authority);
  if (message !== undefined) return { ok: false, message };

  const subdomains = authority.startsWith("*.");
  const parsed = parseHostAndPort(withoutWildcard(authority))!;
  const webScheme = isWebScheme(scheme) ? scheme : undefined;
  const port = parsed.port ?? (webScheme && defaultPortOf(webScheme));
  return { ok: true, rule: { kind: "host", entry, host: parsed.host, subdomains, scheme: webScheme, port } };
}

/**
 * The rules of a stored bot, whose entries were checked when it was seeded.
 *
 * @throws Error when an entry is not one, which means that the stored bot is damaged
 */
export function getDomainRules(allowedDomains: readonly string[]): readonly DomainRule[] {
  return allowedDomains.map((entry) => {
    const parsed = parseAllowedDomain(entry);
    if (!parsed.ok) throw new Error(`stored allowed domain: ${parsed.message}`);
    return parsed.rule;
  });
}

/** An origin that the rules allow, for an example; undefined if none is needed, or if no origin is allowed. Pure. */
export function exampleOrigin(rules: readonly DomainRule[]): string | undefined {
  const [first] = rules;
  if (first === undefined || first.kind === "any" || rules.some(({ kind }) => kind === "any"))
    return undefined;
  const { host, subdomains, scheme = "https", port } = first;
  const portPart = port === undefined || port === defaultPortOf(scheme) ? "" : `:${port}`;
  return `${scheme}://${subdomains ? "www." : ""}${host}${portPart}`;
}

const NOWHERE: BotProblem = {
  pointer: "/allowedDomains",
  message:
    "`allowedDomains` is empty, so that every message gets 403; list the sites where the widget stands, or `*` for anywhere",
  severity: "warning",
};

/** The rule of `allowedDomains`: there are entries, every one is a domain, and none covers a whole top-level domain unnoticed. */
export function checkAllowedDomains(bot: Pick<BotDocument, "allowedDomains">): readonly BotProblem[] {
  if (bot.allowedDomains.length === 0) return [NOWHERE];
  return bot.allowedDomains.flatMap((entry, index) => findProblem(entry, `/allowedDomains/${index}`) ?? []);
}

function findProblem(entry: string, pointer: string): BotProblem | undefined {
  const parsed = parseAllowedDomain(entry);
  if (!parsed.ok) return { pointer, message: parsed.message, severity: "error" };
  const message = findBreadth(parsed.rule);
  return message === undefined ? undefined : { pointer, message, severity: "warning" };
}

function findBreadth(rule: DomainRule): string | undefined {
  if (rule.kind === "any" || !rule.subdomains || rule.host.includes(".") || rule.host === "localhost")
    return undefined;
  return `\`${rule.entry}\` allows every site under .${rule.host}; name a domain, as in \`*.example.${rule.host}\``;
}

function withoutWildcard(authority: string): string {
  return authority.startsWith("*.") ? authority.slice(2) : authority;
}

function findFault(entry: string, scheme: string | undefined, authority: string): string | undefined {
  const bare = entry.trim();
  if (bare === "") return "an allowed domain is empty; write one such as `example.com`, or remove it";
  if (bare !== entry) return `\`${bare}\` has white space around it; write it without`;
  if (/[\s,;|]/.test(entry)) return `\`${entry}\` is more than one domain; give each an entry of its own`;
  if (entry === "null") return "`null` is not a domain; only `*` admits pages without an origin";
  if (scheme !== undefined && !isWebScheme(scheme)) {
    return `\`${entry}\`: pages come by http or https; write \`https://…\`, or the host alone for both`;
  }
  return findAuthorityFault(entry, authority) ?? findHostFault(entry, authority);
}

function findAuthorityFault(entry: string, authority: string): string | undefined {
  const host = authority.split(/[/\\?#]/, 1)[0]!;
  if (host !== authority) {
    const right = entry.slice(0, entry.length - authority.length + host.length) || "example.com";
    return `\`${entry}\` has a path or query, and an origin has none; write \`${right}\``;
  }
  if (authority.includes("@")) {
    return `\`${entry}\` has a user name; write \`${authority.slice(authority.lastIndexOf("@") + 1)}\``;
  }
  if (withoutWildcard(authority).includes("*")) {
    return `\`${entry}\`: \`*\` stands alone, or once in front as in \`*.example.com\``;
  }
  return undefined;
}

function findHostFault(entry: string, authority: string): string | undefined {
  const written = withoutWildcard(authority);
  const parsed = parseHostAndPort(written);
  if (parsed === undefined) {
    return `\`${entry}\` is not a host with an optional port (1–65535); write it as \`example.com\`, \`localhost:5173\` or \`[::1]:8080\``;
  }
  if (!isIpHost(parsed.host)) return undefined;
  if (written !== authority) {
    return `\`${entry}\`: an IP address has no subdomains; write \`${parsed.host}\``;
  }
  if (!written.startsWith("[") && !written.startsWith(parsed.host)) {
    return `\`${entry}\` is an IPv4 address in an unusual notation; write \`${parsed.host}\``;
  }
  return undefined;
}

/** The two headers that say where a request comes from; null or undefined: absent. */
export interface RequestSource {
  origin: string | null | undefined;
  referer: string | null | undefined;
}

/** Whether the request's domain is allowed, and what decided; `entry` is the operator's text of the rule that matched. */
export type DomainDecision =
  | { allowed: true; entry: string; reason: "any_domain" | "origin_matches" | "referer_matches" }
  | {
      allowed: false;
      reason:
        | "origin_not_listed"
        | "origin_null"
        | "origin_malformed"
        | "referer_not_listed"
        | "referer_malformed"
        | "no_origin";
      entry?: undefined;
    };

/**
 * Decides by `Origin` alone if there is one, otherwise by the origin of `Referer`. Only http and https
 * origins match a host; one that no browser would send (a path, a user name, white space, two in one) is malformed.
 */
export function decideDomain(rules: readonly DomainRule[], source: RequestSource): DomainDecision {
  const any = rules.find((rule) => rule.kind === "any");
  if (any !== undefined) return { allowed: true, entry: any.entry, reason: "any_domain" };
  if (source.origin === "null") return { allowed: false, reason: "origin_null" };
  if (source.origin != null) return decideBy("origin", parseWebOrigin(source.origin), rules);
  if (source.referer != null) return decideBy("referer", originOfUrl(source.referer), rules);
  return { allowed: false, reason: "no_origin" };
}

function decideBy(
  via: "origin" | "referer",
  origin: WebOrigin | undefined,
  rules: readonly DomainRule[],
): DomainDecision {
  if (origin === undefined) return { allowed: false, reason: `${via}_malformed` };
  const rule = rules.find((candidate) => matches(candidate, origin));
  if (rule === undefined) return { allowed: false, reason: `${via}_not_listed` };
  return { allowed: true, entry: rule.entry, reason: `${via}_matches` };
}

/** The origin of an absolute URL, read as strictly as an `Origin`: a backslash does not end the host here. */
function originOfUrl(url: string): WebOrigin | undefined {
  const authorityStart = url.indexOf("://") + 3;
  const authorityLength = url.slice(authorityStart).search(/[/?#]/);
  return parseWebOrigin(authorityLength < 0 ? url : url.slice(0, authorityStart + authorityLength));
}

function matches(rule: DomainRule, origin: WebOrigin): boolean {
  if (rule.kind === "any") return true;
  return (
    (rule.subdomains ? origin.host.endsWith(`.${rule.host}`) : origin.host === rule.host) &&
    (rule.scheme === undefined || rule.scheme === origin.scheme) &&
    (rule.port === undefined || rule.port === origin.port)
  );
}
