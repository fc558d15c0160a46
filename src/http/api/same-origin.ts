import {
  defaultPortOf,
  parseHostAndPort,
  parseWebOrigin,
  type WebOrigin,
  type WebScheme,
} from "../../access/web-origin.ts";
import { ServiceError } from "../../domain/errors.ts";

/**
 * Rejects requests that another site makes a browser send with an operator's cookie, or to sign the operator in as somebody else:
 * `Sec-Fetch-Site` must be `same-origin`. If a browser sends none, as over HTTP outside loopback, `Origin` must be the requested address or
 * `operatorUrl`.
 *
 * @throws ServiceError FORBIDDEN
 */
export function assertSameOrigin({ headers }: Request, operatorUrl: string | undefined): void {
  const site = headers.get("sec-fetch-site");
  const isOwn = site === null ? originMatches(headers, operatorUrl) : site === "same-origin";
  if (isOwn) return;
  throw new ServiceError(
    "FORBIDDEN",
    "This request changes data and does not come from the console's own pages; scripts must send a key, with `Authorization: Bearer parley_op_…`.",
    {
      logFields: {
        secFetchSite: site?.slice(0, MAX_LOGGED),
        origin: headers.get("origin")?.slice(0, MAX_LOGGED),
      },
    },
  );
}

const MAX_LOGGED = 260;

/**
 * Port and scheme must match, too. The listener itself uses HTTP; with an HTTPS proxy in front, only the https `operatorUrl` is accepted,
 * because over HTTP an attacker may answer.
 */
function originMatches(headers: Headers, operatorUrl: string | undefined): boolean {
  const origin = parseWebOrigin(headers.get("origin") ?? "");
  if (origin === undefined) return false;
  const own = operatorUrl === undefined ? undefined : parseWebOrigin(new URL(operatorUrl).origin);
  if (own !== undefined && isSame(origin, own)) return true;
  const host = parseHostAndPort(headers.get("host") ?? "");
  if (host === undefined) return false;
  const asked = (scheme: WebScheme) => ({
    scheme,
    host: host.host,
    port: host.port ?? defaultPortOf(scheme),
  });
  if (own !== undefined && isSame(asked(own.scheme), own)) return false;
  return isSame(origin, asked("http"));
}

function isSame(one: WebOrigin, other: WebOrigin): boolean {
  return one.scheme === other.scheme && one.host === other.host && one.port === other.port;
}
