import { connect as connectPlain, type Socket } from "node:net";
import { connect as connectSecurely } from "node:tls";

import type { EndpointSettings } from "../config/endpoints.ts";
import { reachHost, systemResolve } from "../knowledge/sources/fetch/public-address.ts";

/** The reason why an endpoint cannot be connected to, in lower case; undefined if it can. No request is sent. */
export async function whyUnreachable(
  { url, allowPrivate = false }: Pick<EndpointSettings, "url" | "allowPrivate">,
  timeoutMs: number,
): Promise<string | undefined> {
  const address = new URL(url);
  const reach = await reachHost(address, {
    allowedHosts: new Set(allowPrivate ? [address.hostname] : []),
    resolve: systemResolve,
  });
  if (!reach.ok)
    return reach.reason.replace(
      "the server's configuration has to allow it",
      "set `allowPrivate: true` where that is right",
    );
  const isSecure = address.protocol === "https:";
  const host = reach.addresses[0]!;
  const port = Number(address.port || (isSecure ? 443 : 80));
  const servername = address.hostname;
  const socket: Socket = isSecure
    ? connectSecurely({ host, port, ...(/^[\d.]+$|:/.test(servername) ? {} : { servername }) })
    : connectPlain({ host, port });
  return connected(socket, isSecure ? "secureConnect" : "connect", timeoutMs);
}

function connected(socket: Socket, event: string, timeoutMs: number): Promise<string | undefined> {
  return new Promise((resolve) => {
    const end = (reason: string | undefined) => {
      clearTimeout(timer);
      socket.destroy();
      resolve(reason);
    };
    const timer = setTimeout(() => end(`no connection within ${timeoutMs / 1000} s`), timeoutMs);
    socket.once(event, () => end(undefined));
    socket.on("error", (error: NodeJS.ErrnoException) =>
      end(`no connection (${error.code ?? error.message})`),
    );
  });
}
