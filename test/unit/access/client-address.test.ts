import { describe, expect, test } from "bun:test";

import * as fc from "fast-check";

import {
  callerAddressKey,
  clientAddress,
  ignoredForwarding,
  parseTrustedProxies,
  type TrustedProxies,
} from "../../../src/access/client-address.ts";

function trusting(list: string): TrustedProxies {
  const parsed = parseTrustedProxies(list);
  if (!parsed.ok) throw new Error(parsed.message);
  return parsed.proxies;
}

const PROXIES = "127.0.0.1, 10.0.0.0/8 ::1 fd00::/8";
const client = (peer: string, header: string | null, list = PROXIES) =>
  clientAddress(peer, header, trusting(list));

/** Shortens the groups from `from` to `to` where all are zero; the last two may stand in dotted decimal. */
function writeIpv6(groups: readonly number[], from: number, to: number, isDotted: boolean): string {
  const [high = 0, low = 0] = groups.slice(6);
  const dotted = [high >> 8, high & 255, low >> 8, low & 255].join(".");
  const texts = groups.slice(0, isDotted ? 6 : 8).map((group) => group.toString(16));
  const last = isDotted ? [dotted] : [];
  const end = Math.min(to, texts.length);
  if (end <= from || groups.slice(from, end).some((group) => group !== 0))
    return [...texts, ...last].join(":");
  return `${texts.slice(0, from).join(":")}::${[...texts.slice(end), ...last].join(":")}`;
}

describe("the client address", () => {
  test.each([
    ["is the peer when nobody is trusted", "127.0.0.1", "203.0.113.7", "", "127.0.0.1"],
    ["is the peer when the peer is no proxy", "203.0.113.7", "198.51.100.1", PROXIES, "203.0.113.7"],
    ["is the peer when the header is absent", "127.0.0.1", null, PROXIES, "127.0.0.1"],
    ["is the peer when the header is empty", "127.0.0.1", "", PROXIES, "127.0.0.1"],
    ["is what the proxy reports", "127.0.0.1", "203.0.113.7", PROXIES, "203.0.113.7"],
    [
      "is the right-most, not what the client made up",
      "10.1.2.3",
      "1.1.1.1, 203.0.113.7",
      PROXIES,
      "203.0.113.7",
    ],
    ["skips trusted proxies", "127.0.0.1", "1.1.1.1,203.0.113.7, 10.9.9.9,fd00::5", PROXIES, "203.0.113.7"],
    ["is the left-most when all are trusted", "127.0.0.1", "10.0.0.3, 10.0.0.2", PROXIES, "10.0.0.3"],
    ["may be IPv6", "::1", "2001:DB8:0:0::7", PROXIES, "2001:db8::7"],
    ["may carry a port", "127.0.0.1", "203.0.113.7:5678", PROXIES, "203.0.113.7"],
    ["may carry a port after brackets", "127.0.0.1", "[2001:db8::7]:5", PROXIES, "2001:db8::7"],
    ["may stand in brackets", "127.0.0.1", "[2001:db8::7]", PROXIES, "2001:db8::7"],
    ["has no zone", "fe80::1%eth0", null, PROXIES, "fe80::1"],
    ["has no zone in the header", "::1", "fe80::7%eth0", PROXIES, "fe80::7"],
    ["is IPv4 when mapped into IPv6", "::ffff:203.0.113.7", null, PROXIES, "203.0.113.7"],
    ["is IPv4 when mapped in hexadecimal", "::ffff:cb00:7107", null, PROXIES, "203.0.113.7"],
    ["trusts a mapped peer", "::ffff:127.0.0.1", "203.0.113.7", PROXIES, "203.0.113.7"],
    ["trusts by a mapped network", "10.0.0.1", "203.0.113.7", "::ffff:10.0.0.0/104", "203.0.113.7"],
    ["trusts by a mapped address", "10.0.0.1", "203.0.113.7", "::ffff:10.0.0.1", "203.0.113.7"],
    ["trusts all IPv4 by the mapped /96", "10.0.0.1", "203.0.113.7", "::ffff:0:0/96", "203.0.113.7"],
    ["trusts no IPv4 by a wider IPv6 network", "10.0.0.1", "203.0.113.7", "::ffff:0:0/95", "10.0.0.1"],
    ["does not trust the next address", "10.0.0.2", "203.0.113.7", "10.0.0.1", "10.0.0.2"],
    ["ignores host bits of a network", "10.200.0.1", "203.0.113.7", "10.1.2.3/8", "203.0.113.7"],
    ["does not take ::10.0.0.1 for 10.0.0.1", "::10.0.0.1", "203.0.113.7", PROXIES, "::a00:1"],
    ["trusts no IPv6 by an IPv4 network", "2001:db8::1", "203.0.113.7", "0.0.0.0/0", "2001:db8::1"],
    ["trusts no IPv4 by an IPv6 network", "10.0.0.1", "203.0.113.7", "::/0", "10.0.0.1"],
    [
      "is the socket's text when that is no address",
      "/run/parley.sock",
      "203.0.113.7",
      PROXIES,
      "/run/parley.sock",
    ],
  ])("%s", (_case, peer, header, list, expected) => {
    expect(client(peer, header, list)).toBe(expected);
  });

  test.each([
    "unknown",
    "",
    " ",
    "_hidden",
    "203.0.113",
    "0x7f.0.0.1",
    "010.0.0.9",
    "2130706433",
    "203.0.113.7.8",
    "256.0.0.1",
    "203.0.113.7:",
    "203.0.113.7:port",
    "203.0.113.7:123456",
    "2001:db8::7:::5",
    "[2001:db8::7",
    "[2001:db8::7]5",
    "203.0.113.7 203.0.113.8",
    'for="203.0.113.7"',
    "\0",
  ])("stops at the entry %j, and trusts nothing left of it", (garbage) => {
    expect(client("127.0.0.1", `198.51.100.1, ${garbage}, 10.0.0.2`)).toBe("10.0.0.2");
    expect(client("127.0.0.1", `198.51.100.1,${garbage}`)).toBe("127.0.0.1");
  });

  test.each([
    ["2001:db8:1:2::1.2.3.4", "2001:db8:1:2::102:304"],
    ["1:2:3:4:5::1.2.3.4", "1:2:3:4:5:0:102:304"],
    ["64:ff9b::1.2.3.4", "64:ff9b::102:304"],
    ["::1.2.3.4", "::102:304"],
    ["::ffff:1.2.3.4", "1.2.3.4"],
  ])("may be IPv6 that ends in dotted decimal: %s", (written, expected) => {
    expect(client("127.0.0.1", written)).toBe(expected);
  });

  test("is the same however an IPv6 address is written", () => {
    const group = fc.oneof(fc.constant(0), fc.integer({ min: 0, max: 0xffff }));
    const groups = fc.array(group, { minLength: 8, maxLength: 8 });
    fc.assert(
      fc.property(groups, fc.nat(8), fc.nat(8), fc.boolean(), (parts, one, other, isDotted) => {
        const written = writeIpv6(parts, Math.min(one, other), Math.max(one, other), isDotted);
        const whole = parts.map((part) => part.toString(16)).join(":");
        expect(client("127.0.0.1", written)).toBe(client("127.0.0.1", whole));
      }),
    );
  });

  test("is never what an untrusted client writes, however it writes it", () => {
    const made = fc.oneof(fc.string({ unit: "binary" }), fc.ipV4(), fc.ipV6(), fc.constant("10.0.0.1"));
    fc.assert(
      fc.property(fc.array(made), (forged) => {
        expect(client("203.0.113.7", forged.join(","))).toBe("203.0.113.7");
        expect(client("127.0.0.1", [...forged, "203.0.113.7"].join(","))).toBe("203.0.113.7");
      }),
    );
  });
});

describe("the list of trusted proxies", () => {
  test.each(["", " ", ",", "127.0.0.1", "10.0.0.0/8,fd00::/8", "10.0.0.0/8  ::1", "0.0.0.0/0", "::/0"])(
    "may be %j",
    (list) => expect(parseTrustedProxies(list).ok).toBe(true),
  );

  test.each([
    "localhost",
    "10.0.0.0/33",
    "::/129",
    "10/8",
    "10.0.0.0/",
    "10.0.0.0/-1",
    "10.0.0.0/8/8",
    "10.0.0.0/255.0.0.0",
    "0x0a.0.0.0/8",
    "fe80::1%eth0",
    "[::1]",
    "10.0.0.1:80",
    "*",
  ])("names the item that is neither address nor network: %s", (item) => {
    const parsed = parseTrustedProxies(`127.0.0.1, ${item}`);
    expect(parsed.ok ? "accepted" : parsed.message).toStartWith(`\`${item}\` is neither`);
  });
});

describe("the caller behind an address", () => {
  test.each([
    ["203.0.113.7", "203.0.113.7"],
    ["::ffff:203.0.113.7", "203.0.113.7"],
    ["2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"],
    ["2001:db8:1:2::", "2001:db8:1:2::/64"],
    ["fe80::1%eth0", "fe80::/64"],
    ["::1", "::/64"],
    ["/run/parley.sock", "/run/parley.sock"],
  ])("%s is counted as %s", (address, key) => {
    expect(callerAddressKey(address)).toBe(key);
  });

  test("is one per /64 and never shared between two", () => {
    const group = fc.integer({ min: 1, max: 0xfffe }).map((value) => value.toString(16));
    const groups = fc.array(group, { minLength: 4, maxLength: 4 }).map((parts) => parts.join(":"));
    fc.assert(
      fc.property(groups, groups, groups, (network, other, host) => {
        const key = callerAddressKey(`${network}:${host}`);
        expect(callerAddressKey(`${network}:${other}`)).toBe(key);
        expect(callerAddressKey(`${other}:${host}`) === key).toBe(other === network);
      }),
    );
  });
});

describe("X-Forwarded-For that is not believed", () => {
  const parsed = parseTrustedProxies("10.0.0.1");
  const proxies = parsed.ok ? parsed.proxies : [];
  test.each([
    ["10.0.0.1", "203.0.113.7", undefined],
    ["10.0.0.2", null, undefined],
    ["10.0.0.2", "203.0.113.7", "near"],
    ["127.0.0.1", "203.0.113.7", "near"],
    ["::1", "203.0.113.7", "near"],
    ["::ffff:172.17.0.3", "203.0.113.7", "near"],
    ["fd00::7", "203.0.113.7", "near"],
    ["fe80::1%eth0", "203.0.113.7", "near"],
    ["100.64.0.9", "203.0.113.7", "near"],
    ["198.51.99.4", "203.0.113.7", "far"],
    ["2a01:db::9", "203.0.113.7", "far"],
    ["", "203.0.113.7", undefined],
  ] as const)("from %p, %p is %p", (peer, header, where) => {
    expect(ignoredForwarding(peer, header, proxies)).toBe(where);
  });
});
