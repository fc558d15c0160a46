import { isIpHost, parseHostAndPort } from "../access/web-origin.ts";
import { ServiceError } from "../domain/errors.ts";

/**
 * Refuses requests whose `Host` is neither a loopback name, nor an IP address, nor that of `--operator-url` (decisions §12): a
 * page whose name leads to this machine (DNS rebinding) would otherwise read what operators see.
 *
 * @throws ServiceError FORBIDDEN
 */
export function refuseForeignHost(header: string | null, operatorUrl: string | undefined): void {
  const host = parseHostAndPort(header ?? "")?.host;
  if (host !== undefined && (isLoopbackName(host) || isIpHost(host) || host === hostOf(operatorUrl))) return;
  throw new ServiceError(
    "FORBIDDEN",
    "The operator listener answers at localhost, at an IP address, and at the host of --operator-url; name it there.",
    { logFields: { host: header?.slice(0, MAX_LOGGED) } },
  );
}

/** A name of a host has at most 253 characters. */
const MAX_LOGGED = 260;

/** RFC 6761 §6.3: names in `.localhost` lead to the machine itself. */
function isLoopbackName(host: string): boolean {
  return host === "localhost" || host.endsWith(".localhost");
}

function hostOf(url: string | undefined): string | undefined {
  return url === undefined ? undefined : parseHostAndPort(new URL(url).host)?.host;
}
