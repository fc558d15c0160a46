import { lookup } from "node:dns/promises";

import ipaddr from "ipaddr.js";

/** The addresses of a host name. Rejects if it has none. */
export type Resolve = (hostname: string) => Promise<readonly string[]>;

/** The system's resolution of names, including its hosts file. */
export const systemResolve: Resolve = async (hostname) =>
  (await lookup(hostname, { all: true })).map(({ address }) => address);

/** Addresses of a host that may be connected to, or why there are none. */
export type Reach = { ok: true; addresses: readonly string[] } | { ok: false; reason: string };

/**
 * Resolves a host, and checks that it is on the public internet: no loopback, private or link-local address, and no cloud's internal service.
 * Hosts in `allowedHosts` may be anywhere.
 */
export async function reachHost(
  { hostname, host }: Pick<URL, "hostname" | "host">,
  { allowedHosts, resolve }: { allowedHosts: ReadonlySet<string>; resolve: Resolve },
): Promise<Reach> {
  const name = hostname.replace(/^\[(.*)\]$/, "$1");
  const found = await addressesOf(name, resolve);
  if (found.length === 0) return { ok: false, reason: `the host \`${hostname}\` is not found` };
  if (allowedHosts.has(hostname) || allowedHosts.has(host)) return { ok: true, addresses: found };
  const addresses = found.filter(isPublicAddress);
  return addresses.length > 0
    ? { ok: true, addresses }
    : {
        ok: false,
        reason: `the host \`${hostname}\` has a private address (${found[0]}); the server's configuration has to allow it`,
      };
}

async function addressesOf(name: string, resolve: Resolve): Promise<readonly string[]> {
  if (ipaddr.isValid(name)) return [name];
  try {
    return (await resolve(name)).filter((address) => ipaddr.isValid(address));
  } catch (error) {
    if (error instanceof Error && "code" in error) return [];
    throw error;
  }
}

/**
 * Addresses in public ranges that lead to a cloud's own services from within it: Azure's WireServer, which returns a machine's settings and
 * certificates, and the private endpoints of IBM Cloud. Other clouds use reserved ranges.
 */
const CLOUD_SERVICES = ["168.63.129.16/32", "161.26.0.0/16", "166.8.0.0/14"].map((range) =>
  ipaddr.IPv4.parseCIDR(range),
);

/** Whether an address is public. */
export function isPublicAddress(address: string): boolean {
  const parsed = ipaddr.process(address);
  if (parsed.range() !== "unicast") return false;
  return parsed instanceof ipaddr.IPv6 || !CLOUD_SERVICES.some((range) => parsed.match(range));
}
