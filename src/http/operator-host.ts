import { isIpHost, parseHostAndPort } from "../access/web-origin.ts";
import { ServiceError } from "../domain/errors.ts";

/**
 * Rejects requests whose `Host` is neither a loopback name, an IP address, nor that of `--operator-url` (decisions §12). Otherwise a page
 * whose name resolves to this machine (DNS rebinding) could read operators' data.
 *
 * @throws ServiceError FORBIDDEN
 */
export function refuseForeignHost(header: string | null, operatorUrl: string | undefined): void {
  const host = parseHostAndPort(header ?? "")?.host;
  if (host !== undefined && (isLoopbackName(host) || isIpHost(host) || host === hostOf(operatorUrl))) return;
  throw new ServiceError(
    "FORBIDDEN",
    "The operator listener answers only to localhost, an IP address or the host of --operator-url; set it to the address that you use.",
    { logFields: { host: header?.slice(0, MAX_LOGGED) } },
  );
}

/** A host name has at most 253 characters. */
const MAX_LOGGED = 260;

/** Names in `.localhost` resolve to the machine itself (RFC 6761 §6.3). */
function isLoopbackName(host: string): boolean {
  return host === "localhost" || host.endsWith(".localhost");
}

function hostOf(url: string | undefined): string | undefined {
  return url === undefined ? undefined : parseHostAndPort(new URL(url).host)?.host;
}
