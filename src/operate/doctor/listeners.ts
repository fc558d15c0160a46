import { connect } from "node:net";

import type { Config } from "../../config/config.ts";
import { type Finding, findingsOf } from "./finding.ts";

const LISTENERS = findingsOf("listeners");

export interface ListenersFound {
  findings: Finding[];
  /** Metrics of the running server, from its operator listener. */
  metrics?: string;
}

/**
 * Checks what listens on the server's ports: nothing, Parley, or another program.
 *
 * @param hasServer whether a server is registered in the data folder; it may have other ports.
 */
export async function examineListeners(
  config: Pick<Config, "host" | "port" | "operatorHost" | "operatorPort">,
  hasServer: boolean,
): Promise<ListenersFound> {
  const { host, port, operatorHost, operatorPort } = config;
  // Port 0 means any free port, so there is no port to check.
  const nobody: Occupant = { kind: "nobody" };
  const visitors = port === 0 ? nobody : await probePort(host, port, "/readyz");
  const operators = operatorPort === 0 ? nobody : await probePort(operatorHost, operatorPort, "/metrics");
  const addresses = [`${host}:${port}`, `${operatorHost}:${operatorPort}`] as const;
  const faults = [
    ...judgeListener("port", addresses[0], visitors),
    ...judgeListener("operator-port", addresses[1], operators),
    ...judgeReadiness(visitors),
  ];
  const runs = visitors.kind === "parley" ? LISTENERS.fine("a server runs and is ready") : undefined;
  return {
    findings: faults.length > 0 ? faults : [runs ?? judgeSilence(addresses, hasServer)],
    ...(operators.kind === "parley" && operators.status === 200 && { metrics: operators.body }),
  };
}

/** Checks only whether the server is ready, for a container's or supervisor's health check. */
export async function examineReadiness({ host, port }: Pick<Config, "host" | "port">): Promise<Finding> {
  const found = await probePort(host, port, "/readyz");
  if (found.kind === "parley") return judgeReadiness(found)[0] ?? LISTENERS.fine("the server is ready");
  return LISTENERS.broken(
    `no Parley answers at ${host}:${port}`,
    "start it, or name its address with --host and --port",
  );
}

/** Faults of a listener's address: another program has it, or it cannot be reached. Pure. */
export function judgeListener(flag: string, address: string, occupant: Occupant): Finding[] {
  if (occupant.kind === "other") {
    const message = `another program listens on ${address}: \`parley serve\` cannot start there`;
    const cure = `stop that program (\`ss -ltnp\` names it), or choose another port with --${flag}`;
    return [LISTENERS.broken(message, cure)];
  }
  if (occupant.kind === "unreachable") {
    const message = `${address} cannot be reached from here (${occupant.reason})`;
    const cure = "name an address of this machine, or give this command the settings of `parley serve`";
    return [LISTENERS.mend(message, cure)];
  }
  return [];
}

/** The finding if nothing listens on the ports. A registered server may use other ports. Pure. */
export function judgeSilence(addresses: readonly string[], hasServer: boolean): Finding {
  const message = `nothing listens on ${addresses.join(" and ")}`;
  if (!hasServer) return LISTENERS.fine(`${message}: the ports are free`);
  return LISTENERS.hint(
    `${message}, but a server is registered in this data folder: it has other ports, or was killed`,
    "if it runs, give this command its settings, such as --port and --operator-port; if not, there is nothing to do",
  );
}

/** A fault if Parley answers but is not ready. Pure. */
export function judgeReadiness(occupant: Occupant): Finding[] {
  if (occupant.kind !== "parley" || occupant.status === 200) return [];
  const message = `the server that runs is not ready (status ${occupant.status}: ${detailOf(occupant.body)})`;
  const cure = "its log says why; what else is found here may be the cause";
  return [LISTENERS.broken(message, cure)];
}

function detailOf(body: string): string {
  const detail = /"(?:detail|message|error)"\s*:\s*"([^"]{1,200})"/.exec(body)?.[1];
  return detail ?? "no reason given";
}

/** The program that listens on a port. */
type Occupant =
  | { kind: "nobody" }
  | { kind: "parley"; /** The response body. */ body: string; status: number }
  | { kind: "other" }
  /** The connection failed, for example because the host is not an address of this machine. */
  | { kind: "unreachable"; reason: string };

const ANSWER_MS = 3000;

/** How the `X-Request-Id` of each response of Parley begins. */
const REQUEST_ID = /^rq_/;

/**
 * Checks what listens on a port by a GET of `path`. Binding the port instead would keep a server that starts at the same time from using
 * it.
 */
async function probePort(host: string, port: number, path: string): Promise<Occupant> {
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

/** The address to connect to. A wildcard address is no destination, but a server on it also listens on loopback. */
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
