import { connect } from "node:net";

/** The program that listens on a port. */
export type Occupant =
  | { kind: "nobody" }
  | { kind: "parley"; /** The response body. */ body: string; status: number }
  | { kind: "other" }
  /** The host is not an address of this machine. */
  | { kind: "unreachable"; reason: string };

const ANSWER_MS = 3000;

/** Every response of Parley has such a request id. */
const REQUEST_ID = /^rq_/;

/** Checks what listens on a port by a GET of `path`. The port is not bound, so a server starting at the same time finds it free. */
export async function probePort(host: string, port: number, path: string): Promise<Occupant> {
  const address = reachableHost(host);
  const failure = await connectTo(address, port);
  if (failure === "ECONNREFUSED") return { kind: "nobody" };
  if (failure !== undefined) return { kind: "unreachable", reason: failure };
  try {
    const name = address.includes(":") ? `[${address}]` : address;
    const response = await fetch(`http://${name}:${port}${path}`, {
      redirect: "manual",
      signal: AbortSignal.timeout(ANSWER_MS),
    });
    const body = await response.text();
    const isParley = REQUEST_ID.test(response.headers.get("x-request-id") ?? "");
    return isParley ? { kind: "parley", status: response.status, body } : { kind: "other" };
  } catch {
    // The program does not speak HTTP, or does not respond.
    return { kind: "other" };
  }
}

/** A wildcard address also listens on loopback. */
function reachableHost(host: string): string {
  if (host === "0.0.0.0") return "127.0.0.1";
  return host === "::" ? "::1" : host;
}

/** @returns the error code; undefined if the connection was accepted. */
function connectTo(host: string, port: number): Promise<string | undefined> {
  return new Promise((resolve) => {
    const socket = connect({ host, port });
    const end = (code: string | undefined) => {
      socket.destroy();
      resolve(code);
    };
    socket.setTimeout(ANSWER_MS, () => end("ETIMEDOUT"));
    socket.once("connect", () => end(undefined));
    socket.once("error", (error: NodeJS.ErrnoException) => end(error.code ?? error.message));
  });
}
