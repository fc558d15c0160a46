import { connect, createServer, type Socket } from "node:net";

/** `pass`: forwards everything. `freeze`: accepts everything and forwards nothing. `swallow`: drops the server's answers. */
type Mode = "pass" | "freeze" | "swallow";

/** A proxy between a store and its server that fails as networks do. */
export class TcpProxy implements AsyncDisposable {
  readonly port: number;
  mode: Mode = "pass";
  /** Delay of each direction in milliseconds. */
  delayMs = 0;
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

  /** All with the same delay, so that the order stays. */
  #pass(bytes: string | Uint8Array, to: Socket): void {
    if (this.delayMs === 0) to.write(bytes);
    else setTimeout(() => to.writable && to.write(bytes), this.delayMs);
  }

  #relay(client: Socket, server: Socket): void {
    client.on("data", (bytes) => this.mode !== "freeze" && this.#pass(bytes, server));
    server.on("data", (bytes) => this.mode === "pass" && this.#pass(bytes, client));
    for (const [socket, other] of [
      [client, server],
      [server, client],
    ] as const) {
      this.#sockets.add(socket);
      // The other side is closed in the same way as after an end.
      socket.on("error", () => other.destroy());
      socket.on("close", () => {
        this.#sockets.delete(socket);
        other.destroy();
      });
    }
  }
}
