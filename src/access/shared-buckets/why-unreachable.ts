import { connect } from "node:net";

import type { SecretUrl } from "../../domain/secret-url.ts";

const DEFAULT_PORT = 6379;
const LOOK_MS = 500;

/**
 * Why no connection came about, in words. The client says only that it is closed, so the port is tried: where it is open, the server
 * refused what the address says.
 */
export async function whyUnreachable(url: SecretUrl, error: unknown): Promise<string> {
  const message = error instanceof Error ? error.message : String(error);
  if (!isClosed(error)) return message;
  const fault = await portFault(new URL(url.reveal()));
  if (fault !== undefined) return `its port cannot be reached (${fault})`;
  return "its port is open, but the connection was refused or not finished: look at the password, and at TLS (rediss://)";
}

function isClosed(error: unknown): boolean {
  return (error as { code?: unknown } | null)?.code === "ERR_REDIS_CONNECTION_CLOSED";
}

/** @returns the code of the error; undefined where somebody took the connection. */
function portFault({ hostname, port }: URL): Promise<string | undefined> {
  return new Promise((resolve) => {
    const host = hostname.replace(/^\[(.*)\]$/, "$1");
    const socket = connect({ host, port: port === "" ? DEFAULT_PORT : Number(port) });
    const end = (fault: string | undefined) => {
      socket.destroy();
      resolve(fault);
    };
    socket.setTimeout(LOOK_MS, () => end("ETIMEDOUT"));
    socket.once("connect", () => end(undefined));
    socket.once("error", (error: NodeJS.ErrnoException) => end(error.code ?? error.message));
  });
}
