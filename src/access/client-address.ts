import { isIP } from "node:net";

import ipaddr from "ipaddr.js";

type IpAddress = ipaddr.IPv4 | ipaddr.IPv6;

/** A network and the length of its prefix in bits; IPv4-mapped networks are kept as IPv4. */
type Network = [IpAddress, number];

/** Networks whose hosts may speak for others in `X-Forwarded-For`. */
export type TrustedProxies = readonly Network[];

export type ParsedProxies = { ok: true; proxies: TrustedProxies } | { ok: false; message: string };

const SOCKET_ADDRESS = /^(?:\[([^\]]*)\]|([^:]*))(?::[0-9]{1,5})?$/;
const PREFIX_LENGTH = /^[0-9]{1,3}$/;
const MAPPED_PREFIX_BITS = 96;

/** Reads the value of `--trust-proxy`: addresses and CIDR networks, separated by commas or spaces. May be empty. */
export function parseTrustedProxies(list: string): ParsedProxies {
  const proxies: Network[] = [];
  for (const item of list.split(/[\s,]+/).filter((part) => part !== "")) {
    const network = parseNetwork(item);
    if (network === undefined) {
      const message = `\`${item}\` is neither an IP address nor a network; write it as \`10.0.0.0/8\`, \`127.0.0.1\` or \`fd00::/8\``;
      return { ok: false, message };
    }
    proxies.push(network);
  }
  return { ok: true, proxies };
}

/**
 * The address a request comes from, canonical: IPv4 dotted, also if it was mapped into IPv6; IPv6 by
 * RFC 5952 without a zone. That is `peer`, the socket's, unless it is a trusted proxy; then the right-most address of
 * `xForwardedFor` that is not one, or the left-most if all are. An entry that is not an address ends the search at the last
 * valid one, because no trusted proxy has reported the entries to its left.
 */
export function clientAddress(peer: string, xForwardedFor: string | null, proxies: TrustedProxies): string {
  if (xForwardedFor === null && isCanonical(peer)) return peer;
  const peerAddress = parseAddress(peer);
  if (peerAddress === undefined) return peer;
  let client = peerAddress;
  for (const entry of (xForwardedFor ?? "").split(",").toReversed()) {
    if (!isTrusted(client, proxies)) break;
    const reported = parseForwarded(entry);
    if (reported === undefined) break;
    client = reported;
  }
  return client.toString();
}

/** Networks whose addresses the Internet does not route, by ipaddr.js's names. */
const NEAR = new Set(["loopback", "private", "linkLocal", "uniqueLocal", "carrierGradeNat"]);

/** Where a peer is whose `X-Forwarded-For` is ignored; undefined if it sent none, or is a trusted proxy. */
export function ignoredForwarding(
  peer: string,
  xForwardedFor: string | null,
  proxies: TrustedProxies,
): "near" | "far" | undefined {
  const address = xForwardedFor === null ? undefined : parseAddress(peer);
  if (address === undefined || isTrusted(address, proxies)) return undefined;
  return NEAR.has(address.range()) ? "near" : "far";
}

/** Key of a caller in limits: a whole IPv4 address, or the /64 of an IPv6 address. */
export function callerAddressKey(address: string): string {
  if (isCanonical(address)) return address;
  const parsed = parseAddress(address);
  if (parsed === undefined || isIPv4(parsed)) return parsed?.toString() ?? address;
  return `${new ipaddr.IPv6([...parsed.parts.slice(0, 4), 0, 0, 0, 0]).toString()}/64`;
}

/** An IPv4 address is canonical as it is. Most callers have one, so it is not parsed any further. */
function isCanonical(address: string): boolean {
  return isIP(address) === 4;
}

function isTrusted(address: IpAddress, proxies: TrustedProxies): boolean {
  return proxies.some(([network, bits]) => network.kind() === address.kind() && address.match(network, bits));
}

/** One entry of `X-Forwarded-For`; some proxies append the port. */
function parseForwarded(entry: string): IpAddress | undefined {
  const text = entry.trim();
  const parts = SOCKET_ADDRESS.exec(text);
  return parseAddress(parts?.[1] ?? parts?.[2] ?? text);
}

function parseNetwork(item: string): Network | undefined {
  const [text = "", bitsText, ...more] = item.split("/");
  const address = text.includes("%") || more.length > 0 ? undefined : parseIp(text);
  if (address === undefined) return undefined;
  const maxBits = isIPv4(address) ? 32 : 128;
  if (bitsText === undefined) return unmapped(address, maxBits);
  if (!PREFIX_LENGTH.test(bitsText) || Number(bitsText) > maxBits) return undefined;
  return unmapped(address, Number(bitsText));
}

function parseAddress(text: string): IpAddress | undefined {
  const address = parseIp(text);
  return address && unmapped(address, 128)[0];
}

/** Strict, as `inet_pton` reads: no octal, hexadecimal or shortened IPv4. Never throws. */
function parseIp(text: string): IpAddress | undefined {
  const family = isIP(text);
  if (family === 0) return undefined;
  if (family === 4) return ipaddr.IPv4.parse(text);
  return ipaddr.IPv6.parse(withoutDottedEnd(text.split("%", 1)[0]!));
}

/** `64:ff9b::1.2.3.4` as `64:ff9b::102:304`: of the dotted form, ipaddr.js takes `::1.2.3.4` for an IPv4 address. */
function withoutDottedEnd(ipv6: string): string {
  const start = ipv6.lastIndexOf(":") + 1;
  const [a, b, c, d] = ipv6.slice(start).split(".").map(Number);
  if (a === undefined || b === undefined || c === undefined || d === undefined) return ipv6;
  return `${ipv6.slice(0, start)}${(a * 256 + b).toString(16)}:${(c * 256 + d).toString(16)}`;
}

function unmapped(address: IpAddress, bits: number): Network {
  if (isIPv4(address) || !address.isIPv4MappedAddress() || bits < MAPPED_PREFIX_BITS) return [address, bits];
  return [address.toIPv4Address(), bits - MAPPED_PREFIX_BITS];
}

function isIPv4(address: IpAddress): address is ipaddr.IPv4 {
  return address.kind() === "ipv4";
}
