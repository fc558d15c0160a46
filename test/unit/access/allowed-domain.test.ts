import { describe, expect, test } from "bun:test";

import {
  checkAllowedDomains,
  decideDomain,
  type DomainRule,
  exampleOrigin,
  getDomainRules,
  parseAllowedDomain,
} from "../../../src/access/allowed-domain.ts";

type HostRule = Extract<DomainRule, { kind: "host" }>;

const hostRule = (host: string, rest: Partial<HostRule> = {}) => ({
  kind: "host" as const,
  host,
  subdomains: false,
  scheme: undefined,
  port: undefined,
  ...rest,
});

const messageOf = (entry: string) => {
  const parsed = parseAllowedDomain(entry);
  return parsed.ok ? "accepted" : parsed.message;
};

describe("an entry of allowedDomains", () => {
  test.each<[string, ReturnType<typeof hostRule>]>([
    ["example.com", hostRule("example.com")],
    ["Example.COM", hostRule("example.com")],
    ["example.com.", hostRule("example.com")],
    ["*.example.com", hostRule("example.com", { subdomains: true })],
    ["*.com", hostRule("com", { subdomains: true })],
    ["localhost", hostRule("localhost")],
    ["localhost:5173", hostRule("localhost", { port: 5173 })],
    ["example.com:443", hostRule("example.com", { port: 443 })],
    ["https://example.com", hostRule("example.com", { scheme: "https", port: 443 })],
    ["HTTP://example.com", hostRule("example.com", { scheme: "http", port: 80 })],
    ["https://example.com:8443", hostRule("example.com", { scheme: "https", port: 8443 })],
    ["https://*.example.com", hostRule("example.com", { subdomains: true, scheme: "https", port: 443 })],
    ["*.example.com:8080", hostRule("example.com", { subdomains: true, port: 8080 })],
    ["bücher.example", hostRule("xn--bcher-kva.example")],
    ["BÜCHER.example", hostRule("xn--bcher-kva.example")],
    ["xn--bcher-kva.example", hostRule("xn--bcher-kva.example")],
    ["my_shop.example.com", hostRule("my_shop.example.com")],
    ["127.0.0.1", hostRule("127.0.0.1")],
    ["127.0.0.1:3000", hostRule("127.0.0.1", { port: 3000 })],
    ["[::1]:8080", hostRule("[::1]", { port: 8080 })],
    ["[0:0:0:0:0:0:0:1]", hostRule("[::1]")],
  ])("%s is understood", (entry, rule) => {
    expect(parseAllowedDomain(entry)).toEqual({ ok: true, rule: { entry, ...rule } });
  });

  test("a lone star is any domain", () => {
    expect(parseAllowedDomain("*")).toEqual({ ok: true, rule: { kind: "any", entry: "*" } });
  });

  test.each([
    ["", "is empty", "`example.com`"],
    ["   ", "is empty", "`example.com`"],
    [" example.com", "white space around", "`example.com`"],
    ["example.com\n", "white space around", "`example.com`"],
    ["example.com example.org", "more than one domain", "an entry of its own"],
    ["example.com,example.org", "more than one domain", "an entry of its own"],
    ["example.com; example.org", "more than one domain", "an entry of its own"],
    ["example.com|example.org", "more than one domain", "an entry of its own"],
    ["https://example.com/", "path", "`https://example.com`"],
    ["https://example.com/shop", "path", "`https://example.com`"],
    ["example.com?x=1", "path or query", "`example.com`"],
    ["example.com#top", "path or query", "`example.com`"],
    ["example.com\\shop", "path", "`example.com`"],
    ["//example.com", "path", "`example.com`"],
    ["*://example.com", "http or https", "host alone"],
    ["ftp://example.com", "http or https", "host alone"],
    ["wss://example.com", "http or https", "host alone"],
    ["://example.com", "http or https", "host alone"],
    ["user@example.com", "user name", "`example.com`"],
    ["https://user:secret@example.com", "user name", "`example.com`"],
    ["*example.com", "`*` stands alone", "`*.example.com`"],
    ["shop.*.com", "`*` stands alone", "`*.example.com`"],
    ["example.*", "`*` stands alone", "`*.example.com`"],
    ["*.*.example.com", "`*` stands alone", "`*.example.com`"],
    ["**", "`*` stands alone", "`*.example.com`"],
    ["*:8080", "`*` stands alone", "`*.example.com`"],
    ["https://*", "`*` stands alone", "`*.example.com`"],
    ["localhost:*", "`*` stands alone", "`*.example.com`"],
    ["*.", "not a host", "`example.com`"],
    ["null", "not a domain", "`*`"],
    ["https:example.com", "not a host", "`localhost:5173`"],
    ["example.com:", "not a host", "1–65535"],
    ["example.com:0", "not a host", "1–65535"],
    ["example.com:65536", "not a host", "1–65535"],
    ["example.com:+80", "not a host", "1–65535"],
    ["example.com:8080:9090", "not a host", "1–65535"],
    ["example..com", "not a host", "`example.com`"],
    [".example.com", "not a host", "`example.com`"],
    ["example.com..", "not a host", "`example.com`"],
    ["ex%61mple.com", "not a host", "`example.com`"],
    ["a&b.com", "not a host", "`example.com`"],
    ["xn--a.com", "not a host", "`example.com`"],
    [`${"a".repeat(64)}.com`, "not a host", "`example.com`"],
    [`${"a.".repeat(127)}com`, "not a host", "`example.com`"],
    ["::1", "not a host", "`[::1]:8080`"],
    ["[::1", "not a host", "`[::1]:8080`"],
    ["[fe80::1%25eth0]", "not a host", "`[::1]:8080`"],
    ["1.2.3.4.5", "not a host", "`example.com`"],
    ["256.1.1.1", "not a host", "`example.com`"],
    ["0x7f.1", "unusual notation", "`127.0.0.1`"],
    ["127.1", "unusual notation", "`127.0.0.1`"],
    ["2130706433", "unusual notation", "`127.0.0.1`"],
    ["*.127.0.0.1", "no subdomains", "`127.0.0.1`"],
    ["*.[::1]", "no subdomains", "`[::1]`"],
  ])("%j is refused with what is wrong and what would be right", (entry, wrong, right) => {
    expect(messageOf(entry)).toContain(wrong);
    expect(messageOf(entry)).toContain(right);
  });
});

describe("the allowed domains of a bot", () => {
  test("are reported all at once, each with its place", () => {
    const problems = checkAllowedDomains({ allowedDomains: ["example.com", "a b", "*.com", "x/y"] });
    expect(problems.map(({ pointer, severity }) => [pointer, severity])).toEqual([
      ["/allowedDomains/1", "error"],
      ["/allowedDomains/2", "warning"],
      ["/allowedDomains/3", "error"],
    ]);
  });

  test("are warned of where there are none: every message gets 403", () => {
    expect(checkAllowedDomains({ allowedDomains: [] })).toEqual([
      { pointer: "/allowedDomains", message: expect.stringContaining("403"), severity: "warning" },
    ]);
  });

  test("are in order when they cover any, or names that have no dot", () => {
    expect(checkAllowedDomains({ allowedDomains: ["*"] })).toEqual([]);
    expect(checkAllowedDomains({ allowedDomains: ["localhost", "*.localhost", "intranet"] })).toEqual([]);
  });
});

test.each([
  [["shop.example"], "https://shop.example"],
  [["*.shop.example"], "https://www.shop.example"],
  [["http://localhost:5173", "shop.example"], "http://localhost:5173"],
  [["https://shop.example:443"], "https://shop.example"],
  [["shop.example:80"], "https://shop.example:80"],
  [["[::1]:8080"], "https://[::1]:8080"],
])("of %j, an example of an origin is %s, which is allowed", (entries, origin) => {
  const rules = getDomainRules(entries);
  expect(exampleOrigin(rules)).toBe(origin);
  expect(decideDomain(rules, { origin, referer: null }).allowed).toBe(true);
});

test.each([[[]], [["*"]], [["shop.example", "*"]]])("of %j, no origin is an example", (entries) => {
  expect(exampleOrigin(getDomainRules(entries))).toBeUndefined();
});
