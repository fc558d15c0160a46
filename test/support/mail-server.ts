import { createServer, type Server } from "node:net";

/** A mail server on loopback that accepts every e-mail, or refuses with the given line. */
export function mailServer(refusal?: string): Promise<{ url: string; letters: string[]; server: Server }> {
  const letters: string[] = [];
  const server = createServer((socket) => {
    let data: string[] | undefined;
    socket.write("220 test ESMTP\r\n");
    let rest = "";
    socket.on("data", (chunk) => {
      const lines = (rest + chunk.toString()).split("\r\n");
      rest = lines.pop()!;
      for (const line of lines) {
        if (data) {
          if (line !== ".") data.push(line);
          else {
            letters.push(data.join("\n"));
            data = undefined;
            socket.write("250 taken\r\n");
          }
        } else if (/^EHLO/i.test(line)) socket.write("250 test\r\n");
        else if (/^DATA/i.test(line)) {
          if (refusal) socket.write(`${refusal}\r\n`);
          else {
            data = [];
            socket.write("354 go on\r\n");
          }
        } else if (/^QUIT/i.test(line)) socket.end("221 bye\r\n");
        else socket.write("250 ok\r\n");
      }
    });
    socket.on("error", () => socket.destroy());
  });
  return new Promise((resolve) => {
    server.listen(0, "127.0.0.1", () => {
      const { port } = server.address() as { port: number };
      resolve({ url: `smtp://127.0.0.1:${port}`, letters, server });
    });
  });
}
