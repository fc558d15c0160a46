import { parseHostAndPort, parseWebOrigin, defaultPortOf } from "../../access/web-origin.ts";
import { ServiceError } from "../../domain/errors.ts";

/**
 * Refuses what another site makes a browser send with an operator's cookie, or to sign it in as somebody else: `Sec-Fetch-Site` has to be
 * `same-origin`. Where a browser sends none, as over http beyond loopback, `Origin` has to name the host that was asked, or `operatorUrl`.
 *
 * @throws ServiceError FORBIDDEN
 */
export function assertSameOrigin({ headers }: Request, operatorUrl: string | undefined): void {
  const site = headers.get("sec-fetch-site");
  const isOwn = site === null ? originMatches(headers, operatorUrl) : site === "same-origin";
  if (isOwn) return;
  throw new ServiceError(
    "FORBIDDEN",
    "This changes something, and does not come from the console itself; scripts use a key, with `Authorization: Bearer parley_op_…`.",
    {
      logFields: {
        secFetchSite: site?.slice(0, MAX_LOGGED),
        origin: headers.get("origin")?.slice(0, MAX_LOGGED),
      },
    },
  );
}

const MAX_LOGGED = 260;

function originMatches(headers: Headers, operatorUrl: string | undefined): boolean {
  const origin = parseWebOrigin(headers.get("origin") ?? "");
  if (origin === undefined) return false;
  const host = parseHostAndPort(headers.get("host") ?? "");
  if (host?.host === origin.host && (host.port ?? defaultPortOf(origin.scheme)) === origin.port) return true;
  const own = operatorUrl === undefined ? undefined : parseWebOrigin(new URL(operatorUrl).origin);
  return (
    own !== undefined && own.scheme === origin.scheme && own.host === origin.host && own.port === origin.port
  );
}
