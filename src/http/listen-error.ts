/** A listener could not be bound; `message` names it and the remedy. */
export class ListenError extends Error {
  override name = "ListenError";
}

/** The port flag that identifies a listener to operators. */
export type PortFlag = "port" | "operator-port";

interface ListenPlace {
  flag: PortFlag;
  hostname: string;
  port: number;
}

/** The host flag of each listener. */
const HOST_FLAGS: Readonly<Record<PortFlag, string>> = { port: "host", "operator-port": "operator-host" };

/** System errors about the host. For an unknown name Bun reports EINVAL. */
const HOST_FAULTS: Readonly<Record<string, string>> = {
  EADDRNOTAVAIL: "this machine has no such address",
  EINVAL: "this is not an address or name of this machine",
  ENOTFOUND: "this is not an address or name of this machine",
};

/** The error for a listener that could not be bound, with the setting at fault. Pure. */
export function listenError(
  { flag, hostname, port }: ListenPlace,
  cause: NodeJS.ErrnoException,
): ListenError {
  const { code = "", message } = cause;
  const place = `cannot listen on ${hostname}:${port}`;
  const hostFault = HOST_FAULTS[code];
  if (hostFault !== undefined) {
    return new ListenError(`${place}: ${hostFault}; choose another with --${HOST_FLAGS[flag]}`, { cause });
  }
  const reason = code === "EADDRINUSE" ? "the port is in use" : message;
  return new ListenError(`${place}: ${reason}; choose another with --${flag}`, { cause });
}
