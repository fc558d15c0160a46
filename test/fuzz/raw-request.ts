import { connect } from "node:net";

import type { RawRequest } from "./requests.ts";

/** Enough for any answer of a machine that is busy; who waits for it without need holds up the others. */
const ANSWER_MS = 20_000;
/** After this, a server that may wait for more has had its chance. */
const UNFINISHED_MS = 250;

/** What comes before the answer where it was asked for. */
const INTERIM = /^HTTP\/1\.1 1\d\d [^\r]*\r\n\r\n/;

export interface RawAnswer {
  /** 0: the connection was closed without an answer. */
  status: number;
  isLate: boolean;
  /** Head and body. */
  received: string;
}

/** Sends bytes on a connection of their own, and waits for the answer to end. */
export function sendRaw(port: number, { bytes, isUnfinished }: RawRequest): Promise<RawAnswer> {
  return new Promise((resolve) => {
    let received = "";
    const socket = connect(port, "127.0.0.1");
    const finish = (isLate: boolean) => {
      clearTimeout(timer);
      socket.destroy();
      resolve({ status: Number(/^HTTP\/1\.[01] (\d{3})/.exec(received)?.[1] ?? 0), isLate, received });
    };
    const timer = setTimeout(() => finish(!isUnfinished), isUnfinished ? UNFINISHED_MS : ANSWER_MS);
    socket.on("data", (piece: Buffer) => {
      received = (received + piece.toString("latin1")).replace(INTERIM, "");
      if (isWhole(received)) finish(false);
    });
    socket.on("close", () => finish(false));
    // A reset is a way to refuse, too.
    socket.on("error", () => finish(false));
    socket.write(bytes);
  });
}

function isWhole(received: string): boolean {
  const end = received.indexOf("\r\n\r\n");
  if (end < 0) return false;
  const length = /^content-length: *(\d+)/im.exec(received.slice(0, end))?.[1];
  if (length !== undefined) return received.length >= end + 4 + Number(length);
  return received.endsWith("0\r\n\r\n");
}
