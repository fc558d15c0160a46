import { connect, createServer, type Socket } from "node:net";

/** `pass`: as if it were not there. `freeze`: takes everything and passes nothing on. `swallow`: what the server answers is lost. */
type Mode = "pass" | "freeze" | "swallow";

/** Stands between a store and its server, and fails as networks do. */
export class TcpProxy implements AsyncDisposable {
  readonly port: number;
  mode: Mode = "pass";
  readonly #server: ReturnType<typeof createServer>;
  readonly #sockets = new Set<Socket>();

  private constructor(server: ReturnType<typeof createServer>, port: number) {
    this.#server = server;
    this.port = port;
  }

  static async start(target: number): Promise<TcpProxy> {
    const server = createServer();
    const listening = Promise.withResolvers<number>();
    server.listen(0, "127.0.0.1", () => {
      const address = server.address();
      listening.resolve(typeof address === "object" && address ? address.port : 0);
    });
    const proxy = new TcpProxy(server, await listening.promise);
    server.on("connection", (client) => proxy.#relay(client, connect(target, "127.0.0.1")));
    return proxy;
  }

  /** Closes every connection, as a failover or a restarted firewall does. */
  cut(): void {
    for (const socket of this.#sockets) socket.destroy();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.cut();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  #relay(client: Socket, server: Socket): void {
    client.on("data", (bytes) => this.mode !== "freeze" && server.write(bytes));
    server.on("data", (bytes) => this.mode === "pass" && client.write(bytes));
    for (const [socket, other] of [
      [client, server],
      [server, client],
    ] as const) {
      this.#sockets.add(socket);
      // The other side learns of it in the same way as of an end.
      socket.on("error", () => other.destroy());
      socket.on("close", () => {
        this.#sockets.delete(socket);
        other.destroy();
      });
    }
  }
}
