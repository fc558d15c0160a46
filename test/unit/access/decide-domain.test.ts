import { describe, expect, test } from "bun:test";

import * as fc from "fast-check";

import {
  decideDomain,
  type DomainRule,
  parseAllowedDomain,
  type RequestSource,
} from "../../../src/access/allowed-domain.ts";

function ruleOf(entry: string): DomainRule {
  const parsed = parseAllowedDomain(entry);
  if (!parsed.ok) throw new Error(parsed.message);
  return parsed.rule;
}

const decide = (entries: string[], source: Partial<RequestSource>) =>
  decideDomain(entries.map(ruleOf), { origin: null, referer: null, ...source });

const reasonOf = (entry: string, origin: string) => decide([entry], { origin }).reason;

const ALLOWED: [entry: string, origin: string][] = [
  // A bare host: any port, either scheme.
  ["example.com", "https://example.com"],
  ["example.com", "http://example.com"],
  ["example.com", "https://example.com:8443"],
  ["example.com", "http://example.com:65535"],
  ["localhost", "http://localhost:3000"],
  // Case, trailing dot.
  ["example.com", "https://EXAMPLE.com"],
  ["example.com", "HTTPS://example.com"],
  ["EXAMPLE.com", "https://example.com"],
  ["example.com", "https://example.com."],
  ["example.com.", "https://example.com"],
  ["example.com", "https://example.com.:8443"],
  // Subdomains at any depth.
  ["*.example.com", "https://www.example.com"],
  ["*.example.com", "https://a.b.c.example.com"],
  ["*.example.com", "https://WWW.Example.Com."],
  ["*.com", "https://example.com"],
  // Ports are compared as effective ports.
  ["localhost:5173", "http://localhost:5173"],
  ["localhost:5173", "https://localhost:5173"],
  ["example.com:443", "https://example.com"],
  ["example.com:80", "http://example.com"],
  ["example.com:443", "http://example.com:443"],
  ["example.com", "https://example.com:443"],
  ["https://example.com", "https://example.com:443"],
  ["https://example.com:443", "https://example.com"],
  ["https://example.com", "https://example.com:0443"],
  ["*.example.com:8080", "http://www.example.com:8080"],
  // Scheme.
  ["https://example.com", "https://example.com"],
  ["http://example.com", "http://example.com"],
  ["https://example.com:8443", "https://example.com:8443"],
  ["https://*.example.com", "https://www.example.com"],
  // Internationalised names, both ways.
  ["bücher.example", "https://xn--bcher-kva.example"],
  ["xn--bcher-kva.example", "https://bücher.example"],
  ["BÜCHER.example", "https://xn--bcher-kva.EXAMPLE"],
  ["*.bücher.example", "https://www.xn--bcher-kva.example"],
  ["faß.example", "https://xn--fa-hia.example"],
  ["example.com", "https://ｅxample.com"],
  ["example.com", "https://example。com"],
  // IP addresses: one host, whatever the notation.
  ["127.0.0.1", "http://127.0.0.1:3000"],
  ["127.0.0.1", "http://0x7f.1"],
  ["127.0.0.1", "http://2130706433"],
  ["[::1]", "http://[::1]:3000"],
  ["[::1]:8080", "http://[0:0:0:0:0:0:0:1]:8080"],
  ["[2001:db8::1]", "http://[2001:DB8::1]"],
];

const NOT_LISTED: [entry: string, origin: string][] = [
  // Look-alikes.
  ["example.com", "https://example.com.evil.test"],
  ["example.com", "https://evil-example.com"],
  ["example.com", "https://evilexample.com"],
  ["example.com", "https://example.co"],
  ["example.com", "https://example.comm"],
  ["example.com", "https://example.com-evil.test"],
  ["example.com", "https://exampleXcom.test"],
  ["example.com", "https://com"],
  ["example.com", "https://examp1e.com"],
  ["example.com", "https://еxample.com"],
  ["example.com", "https://xn--xample-2of.com"],
  ["bücher.example", "https://bucher.example"],
  ["faß.example", "https://fass.example"],
  // A host is not its subdomains, and the other way round.
  ["example.com", "https://www.example.com"],
  ["www.example.com", "https://example.com"],
  ["*.example.com", "https://example.com"],
  ["*.example.com", "https://example.com."],
  ["*.example.com", "https://evilexample.com"],
  ["*.example.com", "https://evil-example.com"],
  ["*.example.com", "https://www.example.com.evil.test"],
  ["*.example.com", "https://www.example.org"],
  ["*.com", "https://com"],
  // Ports.
  ["localhost:5173", "http://localhost:5174"],
  ["localhost:5173", "http://localhost"],
  ["localhost:5173", "http://localhost:51730"],
  ["example.com:443", "http://example.com"],
  ["example.com:80", "https://example.com"],
  ["*.example.com:8080", "http://www.example.com"],
  // Scheme.
  ["https://example.com", "http://example.com"],
  ["https://example.com", "http://example.com:443"],
  ["https://example.com", "https://example.com:8443"],
  ["http://example.com", "https://example.com"],
  ["https://*.example.com", "http://www.example.com"],
  // IP addresses.
  ["127.0.0.1", "http://localhost"],
  ["localhost", "http://127.0.0.1"],
  ["127.0.0.1", "http://127.0.0.1.evil.test"],
  ["127.0.0.1", "http://[::ffff:127.0.0.1]"],
  ["[::1]", "http://[::2]"],
  ["[::1]:8080", "http://[::1]"],
  ["*.com", "http://[::1]"],
];

const MALFORMED: [why: string, origin: string][] = [
  ["an empty header", ""],
  ["white space only", " "],
  ["no scheme", "example.com"],
  ["no host", "https://"],
  ["only a port", "https://:443"],
  ["no slashes", "https:example.com"],
  ["one slash", "https:/example.com"],
  ["three slashes", "https:///example.com"],
  ["backslashes for slashes", "https:\\\\example.com"],
  ["a backslash after the host", "https://example.com\\.evil.test"],
  ["a backslash before a user name", "https://example.com\\@evil.test"],
  ["a trailing slash", "https://example.com/"],
  ["a path", "https://example.com/shop"],
  ["a query", "https://example.com?x"],
  ["a fragment", "https://example.com#x"],
  ["a host hidden in a fragment", "https://evil.test#.example.com"],
  ["a user name", "https://user@example.com"],
  ["the allowed host as user name", "https://example.com@evil.test"],
  ["the allowed host as user name and password", "https://example.com:443@evil.test"],
  ["two domains, by comma", "https://example.com,https://evil.test"],
  ["two domains, by comma and space", "https://example.com, https://example.com"],
  ["two domains, by space", "https://example.com https://evil.test"],
  ["a tab inside", "https://exam\tple.com"],
  ["a line break inside", "https://exam\nple.com"],
  ["a tab after it", "https://example.com\t"],
  ["a space before it", " https://example.com"],
  ["a NUL after it", "https://example.com\0"],
  ["a NUL before a suffix", "https://evil.test\0.example.com"],
  ["percent-encoding", "https://ex%61mple.com"],
  ["a percent-encoded dot", "https://www%2Eexample.com"],
  ["a full-width slash", "https://evil.test／.example.com"],
  ["a full-width percent sign", "https://evil.test％00.example.com"],
  ["a full-width colon", "https://example.com：443"],
  ["two trailing dots", "https://example.com.."],
  ["an empty label", "https://www..example.com"],
  ["a leading dot", "https://.example.com"],
  ["a star", "https://*.example.com"],
  ["an empty port", "https://example.com:"],
  ["port 0", "https://example.com:0"],
  ["a port that is too large", "https://example.com:65536"],
  ["a port with a sign", "https://example.com:+443"],
  ["two ports", "https://example.com:443:443"],
  ["five parts of an IPv4 address", "https://1.2.3.4.5"],
  ["an IPv6 address without brackets", "http://::1"],
  ["an IPv6 address with a zone", "http://[fe80::1%25eth0]"],
  ["text after an IPv6 address", "http://[::1].example.com"],
  ["broken punycode", "https://xn--a.example.com"],
  ["a label of 64 characters", `https://${"a".repeat(64)}.example.com`],
  ["a host of 64 KiB", `https://${"a.".repeat(32_768)}example.com`],
  ["a page of an extension", "chrome-extension://example.com"],
  ["a file", "file://"],
  ["a file on a host", "file://example.com"],
  ["a web socket", "wss://example.com"],
  ["FTP", "ftp://example.com"],
  ["a blob", "blob:https://example.com"],
  ["data", "data:text/html,https://example.com"],
  ["null in capitals", "NULL"],
];

describe("the Origin of a request", () => {
  test.each(ALLOWED)("%s admits %s", (entry, origin) => {
    expect(decide(["other.test", entry], { origin })).toEqual({
      allowed: true,
      entry,
      reason: "origin_matches",
    });
  });

  test.each(NOT_LISTED)("%s does not admit %s", (entry, origin) => {
    expect(reasonOf(entry, origin)).toBe("origin_not_listed");
  });

  test.each(MALFORMED)("is not read when it has or is %s", (_why, origin) => {
    const decision = decide(["example.com", "*.example.com", "https://example.com:443"], { origin });
    expect(decision).toEqual({ allowed: false, reason: "origin_malformed" });
  });

  test("null matches no host", () => {
    expect(reasonOf("example.com", "null")).toBe("origin_null");
  });

  test("decides alone: a matching Referer is no second chance", () => {
    const referer = "https://example.com/";
    for (const origin of ["https://evil.test", "null", "", "garbage"]) {
      expect(decide(["example.com"], { origin, referer }).allowed).toBe(false);
    }
  });

  test("needs no matching Referer", () => {
    const source = { origin: "https://example.com", referer: "https://evil.test/" };
    expect(decide(["example.com"], source).allowed).toBe(true);
  });
});

describe("the Referer of a request without Origin", () => {
  test.each([
    "https://example.com",
    "https://example.com/",
    "https://example.com/shop/cart?x=1#y",
    "https://example.com:8443/",
    "https://example.com?x",
    "https://example.com/https://evil.test",
    "https://example.com/\\@evil.test",
    "https://EXAMPLE.com./a%20b",
  ])("admits %s", (referer) => {
    expect(decide(["example.com"], { referer })).toEqual({
      allowed: true,
      entry: "example.com",
      reason: "referer_matches",
    });
  });

  test.each([
    ["https://evil.test/example.com", "referer_not_listed"],
    ["https://evil.test/?https://example.com/", "referer_not_listed"],
    ["https://example.com.evil.test/", "referer_not_listed"],
    ["https://evil.test#https://example.com/", "referer_not_listed"],
    ["https://example.com@evil.test/", "referer_malformed"],
    ["https://user@example.com/", "referer_malformed"],
    ["https://example.com\\.evil.test/", "referer_malformed"],
    ["https:\\\\example.com/", "referer_malformed"],
    ["/shop", "referer_malformed"],
    ["example.com/shop", "referer_malformed"],
    ["about:blank", "referer_malformed"],
    ["file:///home/me/page.html", "referer_malformed"],
    ["null", "referer_malformed"],
    ["", "referer_malformed"],
  ] as const)("refuses %j: %s", (referer, reason) => {
    expect(decide(["example.com"], { referer })).toEqual({ allowed: false, reason });
  });
});

describe("a bot's list as a whole", () => {
  test("refuses a request with neither header", () => {
    expect(decide(["example.com"], {})).toEqual({ allowed: false, reason: "no_origin" });
    expect(decide(["example.com"], { origin: undefined, referer: undefined }).reason).toBe("no_origin");
  });

  test.each<[string, Partial<RequestSource>]>([
    ["any origin", { origin: "https://anything.test" }],
    ["null", { origin: "null" }],
    ["what no browser sends", { origin: "garbage" }],
    ["an extension", { origin: "chrome-extension://abc" }],
    ["neither header", {}],
  ])("with a star admits %s", (_case, source) => {
    const allowed = { allowed: true, entry: "*", reason: "any_domain" } as const;
    expect(decide(["example.com", "*"], source)).toEqual(allowed);
  });

  test.each<Partial<RequestSource>>([
    { origin: "https://example.com" },
    { origin: "null" },
    { referer: "https://example.com/" },
    {},
  ])("admits nothing when it is empty: %j", (source) => {
    expect(decide([], source).allowed).toBe(false);
  });

  test("names the first entry that matches", () => {
    const entries = ["*.example.org", "*.example.com", "www.example.com"];
    expect(decide(entries, { origin: "https://www.example.com" }).entry).toBe("*.example.com");
  });
});

const label = fc.stringMatching(/^[a-z]([a-z0-9-]{0,8}[a-z])?$/).filter((text) => text.slice(2, 4) !== "--");
const host = fc.array(label, { minLength: 1, maxLength: 4 }).map((labels) => labels.join("."));
const port = fc.option(fc.integer({ min: 1, max: 65_535 }), { nil: undefined });
const scheme = fc.constantFrom("http", "https");
const withPort = (name: string, number: number | undefined) => (number ? `${name}:${number}` : name);

const suffixesOf = (name: string) => {
  const labels = name.split(".");
  return labels.slice(1).map((_, at) => labels.slice(at + 1).join("."));
};

describe("for any hosts", () => {
  test("an entry admits its own host and no other", () => {
    fc.assert(
      fc.property(host, host, scheme, port, (listed, asking, by, at) => {
        const decision = decide([listed], { origin: `${by}://${withPort(asking, at)}` });
        return decision.allowed === (listed === asking);
      }),
    );
    fc.assert(
      fc.property(host, scheme, port, (name, by, at) => {
        return decide([name], { origin: `${by}://${withPort(name, at)}` }).allowed;
      }),
    );
  });

  test("nothing put before or after a host makes another host match", () => {
    const glue = fc.string({ unit: "binary-ascii", minLength: 1, maxLength: 6 });
    fc.assert(
      fc.property(host, glue, glue, (name, before, after) => {
        for (const asking of [`${before}${name}`, `${name}${after}.test`, `${before}${name}${after}.test`]) {
          const origin = `https://${asking}`;
          const decision = decide([name], { origin });
          if (decision.allowed && URL.parse(origin)?.hostname !== name) return false;
        }
        return true;
      }),
      { numRuns: 2000 },
    );
  });

  test("a wildcard admits exactly the hosts with at least one more label in front", () => {
    fc.assert(
      fc.property(host, fc.array(label, { maxLength: 3 }), host, (base, more, other) => {
        const below = [...more, base].join(".");
        const own = decide([`*.${base}`], { origin: `https://${below}` }).allowed;
        const foreign = decide([`*.${base}`], { origin: `https://${other}` }).allowed;
        const glued = decide([`*.${base}`], { origin: `https://x${base}` }).allowed;
        const isBelow = suffixesOf(other).includes(base);
        return own === more.length > 0 && foreign === isBelow && !glued;
      }),
    );
  });

  test("any text at all gets a decision", () => {
    const text = fc.string({ unit: "binary" });
    fc.assert(
      fc.property(text, text, (origin, referer) => {
        expect(decide(["example.com"], { origin, referer }).allowed).toBe(false);
        expect(decide(["example.com"], { referer }).allowed).toBe(false);
      }),
    );
  });
});
