import { connect } from "node:net";

/** What is found at a port: nobody, or somebody who may be Parley. */
export type Occupant =
  | { kind: "nobody" }
  | { kind: "parley"; /** The whole body. */ body: string; status: number }
  | { kind: "other" }
  /** The host is none of this machine's. */
  | { kind: "unreachable"; reason: string };

const ANSWER_MS = 3000;

/** Every answer of Parley has one. */
const REQUEST_ID = /^rq_/;

/** Asks who listens, by a GET of `path`. Nothing is bound, so a server that starts at the same time finds its port free. */
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
    // Whoever took the connection speaks no HTTP, or is stuck.
    return { kind: "other" };
  }
}

/** A wildcard is heard on loopback as well. */
function reachableHost(host: string): string {
  if (host === "0.0.0.0") return "127.0.0.1";
  return host === "::" ? "::1" : host;
}

/** @returns the code of the error; undefined where somebody took the connection. */
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
