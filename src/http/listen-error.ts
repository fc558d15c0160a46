/** A listener could not be bound; `message` says which and what to do. */
export class ListenError extends Error {
  override name = "ListenError";
}

/** The flag of a listener's port, by which an operator knows the listener. */
export type PortFlag = "port" | "operator-port";

interface ListenPlace {
  flag: PortFlag;
  hostname: string;
  port: number;
}

/** Of each listener, the flag of its host. */
const HOST_FLAGS: Readonly<Record<PortFlag, string>> = { port: "host", "operator-port": "operator-host" };

/** What the system says where the host is at fault. Of a name that leads nowhere, Bun says EINVAL. */
const HOST_FAULTS: Readonly<Record<string, string>> = {
  EADDRNOTAVAIL: "this machine has no such address",
  EINVAL: "this is no address or name of this machine",
  ENOTFOUND: "this is no address or name of this machine",
};

/** What an operator is told of a listener that could not be bound: which of its two settings is at fault. Pure. */
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
