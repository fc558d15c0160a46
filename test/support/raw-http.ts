import { type Socket, connect } from "node:net";

/** A connection that sends raw bytes, and keeps the received ones. */
export interface RawConnection extends Disposable {
  /** All bytes received so far. */
  readonly received: string;
  readonly isClosed: boolean;
  send(bytes: string): void;
  /** Resolves once the received text matches; rejects if the connection closes before. */
  until(pattern: RegExp): Promise<string>;
  /** Resolves with everything received, once the server has closed the connection. */
  closed(): Promise<string>;
}

/** Connects to a server on loopback, and sends `first`. */
export async function connectRaw(url: string, first = ""): Promise<RawConnection> {
  const socket = await openSocket(Number(new URL(url).port));
  let received = "";
  let isClosed = false;
  const changes = new Set<() => void>();
  const changed = () => {
    for (const tell of changes) tell();
  };
  socket.on("data", (bytes: Buffer) => {
    received += bytes.toString("latin1");
    changed();
  });
  socket.on("close", () => {
    isClosed = true;
    changed();
  });
  // A reset also closes the connection.
  socket.on("error", changed);
  if (first !== "") socket.write(first);
  const when = (isDone: () => boolean, isHopeless: () => boolean = () => false) =>
    new Promise<string>((resolve, reject) => {
      const look = () => {
        if (!isDone() && !isHopeless()) return;
        changes.delete(look);
        if (isDone()) resolve(received);
        else reject(new Error(`the connection closed after ${JSON.stringify(received)}`));
      };
      changes.add(look);
      look();
    });
  return {
    get received() {
      return received;
    },
    get isClosed() {
      return isClosed;
    },
    send: (bytes) => void socket.write(bytes),
    until: (pattern) =>
      when(
        () => pattern.test(received),
        () => isClosed,
      ),
    closed: () => when(() => isClosed),
    [Symbol.dispose]: () => void socket.destroy(),
  };
}

function openSocket(port: number): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, "127.0.0.1", () => resolve(socket));
    socket.once("error", reject);
  });
}
