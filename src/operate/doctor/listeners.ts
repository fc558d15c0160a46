import type { Config } from "../../config/config.ts";
import { type Finding, fine } from "./finding.ts";
import { type Occupant, probePort } from "./probe-port.ts";

export interface ListenersFound {
  findings: Finding[];
  /** Metrics of the running server, from its operator listener. */
  metrics?: string;
}

/** Checks what listens on the server's ports: nothing, Parley, or another program. */
export async function examineListeners(
  config: Pick<Config, "host" | "port" | "operatorHost" | "operatorPort">,
): Promise<ListenersFound> {
  const { host, port, operatorHost, operatorPort } = config;
  // Port 0 stands for any free port.
  const nobody: Occupant = { kind: "nobody" };
  const visitors = port === 0 ? nobody : await probePort(host, port, "/readyz");
  const operators = operatorPort === 0 ? nobody : await probePort(operatorHost, operatorPort, "/metrics");
  const faults = [
    ...judgeListener("port", `${host}:${port}`, visitors),
    ...judgeListener("operator-port", `${operatorHost}:${operatorPort}`, operators),
    ...judgeReadiness(visitors),
  ];
  const runs =
    visitors.kind === "parley" ? "a server runs and is ready" : "no server runs, and the ports are free";
  return {
    findings: faults.length > 0 ? faults : [fine("listeners", runs)],
    ...(operators.kind === "parley" && operators.status === 200 && { metrics: operators.body }),
  };
}

/** Checks only whether the server is ready, for a container's or supervisor's health check. */
export async function examineReadiness({ host, port }: Pick<Config, "host" | "port">): Promise<Finding> {
  const found = await probePort(host, port, "/readyz");
  if (found.kind === "parley") return judgeReadiness(found)[0] ?? fine("listeners", "the server is ready");
  return {
    check: "listeners",
    severity: "broken",
    message: `no Parley answers at ${host}:${port}`,
    cure: "start it, or name its address with --host and --port",
  };
}

/** Pure. */
export function judgeListener(flag: string, address: string, occupant: Occupant): Finding[] {
  if (occupant.kind === "other") {
    const message = `another program listens on ${address}: \`parley serve\` cannot start there`;
    const cure = `stop that program (\`ss -ltnp\` names it), or choose another port with --${flag}`;
    return [{ check: "listeners", severity: "broken", message, cure }];
  }
  if (occupant.kind === "unreachable") {
    const message = `${address} cannot be reached from here (${occupant.reason})`;
    const cure = "name an address of this machine, or give this command the settings of `parley serve`";
    return [{ check: "listeners", severity: "mend", message, cure }];
  }
  return [];
}

/** Pure. */
export function judgeReadiness(occupant: Occupant): Finding[] {
  if (occupant.kind !== "parley" || occupant.status === 200) return [];
  const message = `the server that runs is not ready (status ${occupant.status}: ${detailOf(occupant.body)})`;
  const cure = "its log says why; what else is found here may be the cause";
  return [{ check: "listeners", severity: "broken", message, cure }];
}

function detailOf(body: string): string {
  const detail = /"(?:detail|message|error)"\s*:\s*"([^"]{1,200})"/.exec(body)?.[1];
  return detail ?? "no reason given";
}
