/** An answer, its body as text. */
export interface SocketAnswer {
  status: number;
  body: string;
}

/** A kept connection, with one request at a time. */
export interface HttpSocket {
  /** Rejects when the connection ends before the answer has. */
  send(request: string): Promise<SocketAnswer>;
  close(): void;
}

interface Waiting {
  resolve: (answer: SocketAnswer) => void;
  reject: (error: Error) => void;
}

/**
 * Connects to a server whose answers have a length or come in chunks. Uses no `fetch`, so that the generator
 * leaves the machine to the server that it measures.
 */
export async function connectTo(origin: string): Promise<HttpSocket> {
  let received = "";
  let waiting: Waiting | undefined;
  const end = () => waiting?.reject(new Error("the connection ended"));
  const { hostname, port } = new URL(origin);
  const socket = await Bun.connect({
    hostname,
    port: Number(port),
    socket: {
      // Of bytes that are not ASCII, only the number matters.
      data(_, bytes) {
        received += bytes.toString("latin1");
        const answer = parseAnswer(received);
        if (!answer) return;
        received = "";
        waiting?.resolve(answer);
      },
      close: end,
      error: end,
    },
  });
  return {
    send(request) {
      const answer = new Promise<SocketAnswer>((resolve, reject) => {
        waiting = { resolve, reject };
      });
      socket.write(request);
      return answer;
    },
    close: () => void socket.end(),
  };
}

/** The answer, once it is complete. */
function parseAnswer(text: string): SocketAnswer | undefined {
  const bodyAt = text.indexOf("\r\n\r\n") + 4;
  if (bodyAt < 4) return undefined;
  const head = text.slice(0, bodyAt);
  const length = /\r\ncontent-length: (\d+)/i.exec(head)?.[1];
  const isWhole =
    length === undefined ? text.endsWith("\r\n0\r\n\r\n") : text.length >= bodyAt + Number(length);
  return isWhole ? { status: Number(text.slice(9, 12)), body: text.slice(bodyAt) } : undefined;
}
