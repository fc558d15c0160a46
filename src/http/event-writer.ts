/** Proxies commonly close a connection that is silent for a minute. */
const HEARTBEAT_MS = 15_000;

/** Server-sent events (WHATWG HTML §9.2), kept alive by comments until the end. */
export class EventWriter {
  readonly body: ReadableStream<Uint8Array>;
  hasBegun = false;
  readonly #heartbeatMs: number;
  readonly #encoder = new TextEncoder();
  #controller: ReadableStreamDefaultController<Uint8Array> | undefined;
  #heartbeat: ReturnType<typeof setInterval> | undefined;

  /** @param onLeave called when the reader cancels. @param heartbeatMs interval of the comments that keep the connection open. */
  constructor(onLeave: () => void, heartbeatMs = HEARTBEAT_MS) {
    this.#heartbeatMs = heartbeatMs;
    this.body = new ReadableStream<Uint8Array>({
      start: (controller) => {
        this.#controller = controller;
      },
      cancel: () => {
        this.#stop();
        onLeave();
      },
    });
  }

  /** Opens the stream before the first event. */
  begin(): void {
    this.hasBegun = true;
    if (!this.#controller) return;
    this.#heartbeat ??= setInterval(() => this.#send(": still here\n\n"), this.#heartbeatMs);
    this.#send(": here\n\n");
  }

  /** @param id by which a reader continues after a reconnect. */
  write(event: string, data: unknown, id?: number): void {
    this.hasBegun = true;
    if (!this.#controller) return;
    this.#heartbeat ??= setInterval(() => this.#send(": still here\n\n"), this.#heartbeatMs);
    const name = id === undefined ? "" : `id: ${id}\n`;
    this.#send(`${name}event: ${event}\ndata: ${JSON.stringify(data)}\n\n`);
  }

  /** @param retryMs tells the reader when to reconnect. */
  end(retryMs?: number): void {
    if (retryMs !== undefined) this.#send(`retry: ${retryMs}\n\n`);
    this.#controller?.close();
    this.#stop();
  }

  #send(text: string): void {
    this.#controller?.enqueue(this.#encoder.encode(text));
  }

  #stop(): void {
    clearInterval(this.#heartbeat);
    this.#heartbeat = undefined;
    this.#controller = undefined;
  }
}
