import { isIPv4 } from "node:net";

/** Longest DNS name in characters (RFC 1035, without the trailing dot). */
const MAX_HOST_LENGTH = 253;
const PORT = /^[0-9]{1,5}$/;
/** A DNS label (RFC 1035), also with `_`, which browsers accept. */
const LABEL = /^[a-z0-9_-]{1,63}$/;
/** Characters that the URL parser would strip, decode, or take for the end of the host. */
const NOT_IN_A_HOST = /[\s\p{Cc}/\\?#@%*,]/u;
const DEFAULT_PORTS = { http: 80, https: 443 } as const;

export type WebScheme = keyof typeof DEFAULT_PORTS;

export interface WebOrigin {
  scheme: WebScheme;
  /** Canonical: lower-case punycode without a trailing dot, or an IP address as the URL standard writes it. */
  host: string;
  /** The effective port: the scheme's default if none is given. */
  port: number;
}

/** Splits `text` at `://`. The scheme is in lower case, and undefined if there is none. */
export function splitScheme(text: string): { scheme: string | undefined; authority: string } {
  const end = text.indexOf("://");
  if (end < 0) return { scheme: undefined, authority: text };
  return { scheme: text.slice(0, end).toLowerCase(), authority: text.slice(end + 3) };
}

export function isWebScheme(scheme: string | undefined): scheme is WebScheme {
  return scheme === "http" || scheme === "https";
}

export function defaultPortOf(scheme: WebScheme): number {
  return DEFAULT_PORTS[scheme];
}

/** An http or https origin as a browser serialises it (RFC 6454 §6.2): no path, no user name, nothing around it. */
export function parseWebOrigin(text: string): WebOrigin | undefined {
  const { scheme, authority } = splitScheme(text);
  if (!isWebScheme(scheme)) return undefined;
  const parsed = parseHostAndPort(authority);
  return parsed && { scheme, host: parsed.host, port: parsed.port ?? DEFAULT_PORTS[scheme] };
}

/** `example.com`, `example.com:8080`, `[::1]:8080`; undefined for anything else. The host is canonical. */
export function parseHostAndPort(text: string): { host: string; port: number | undefined } | undefined {
  // An IPv6 address has colons of its own, inside brackets.
  const colon = text.indexOf(":", text.indexOf("]") + 1);
  const host = canonicalHost(colon < 0 ? text : text.slice(0, colon));
  if (host === undefined) return undefined;
  if (colon < 0) return { host, port: undefined };
  const port = parsePort(text.slice(colon + 1));
  return port === undefined ? undefined : { host, port };
}

export function isIpHost(host: string): boolean {
  return host.startsWith("[") || isIPv4(host);
}

function canonicalHost(text: string): string | undefined {
  if (text === "" || NOT_IN_A_HOST.test(text)) return undefined;
  const parsed = URL.parse(`http://${text}/`)?.hostname;
  if (parsed === undefined || parsed.startsWith("[")) return parsed;
  const host = parsed.endsWith(".") ? parsed.slice(0, -1) : parsed;
  if (host.length > MAX_HOST_LENGTH || !host.split(".").every((label) => LABEL.test(label))) return undefined;
  return host;
}

function parsePort(text: string): number | undefined {
  const port = PORT.test(text) ? Number(text) : 0;
  return port >= 1 && port <= 65_535 ? port : undefined;
}
