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

  /**
   * @param onLeave runs when the reader cancels the stream.
   * @param heartbeatMs between comments that keep the connection open.
   */
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

  /** Says that the stream is there, before there is anything to tell. */
  begin(): void {
    this.hasBegun = true;
    if (!this.#controller) return;
    this.#heartbeat ??= setInterval(() => this.#send(": still here\n\n"), this.#heartbeatMs);
    this.#send(": here\n\n");
  }

  /** @param id what a reader that comes back names as the last that it knows. */
  write(event: string, data: unknown, id?: number): void {
    this.hasBegun = true;
    if (!this.#controller) return;
    this.#heartbeat ??= setInterval(() => this.#send(": still here\n\n"), this.#heartbeatMs);
    const name = id === undefined ? "" : `id: ${id}\n`;
    this.#send(`${name}event: ${event}\ndata: ${JSON.stringify(data)}\n\n`);
  }

  /** @param retryMs after which a reader may come back, where that is said. */
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
