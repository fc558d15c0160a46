/** How often calls are looked at while any wait. */
const TICK_MS = 50;

/**
 * Tells when a call waits for longer than `ticks` looks, 50 ms apart. Time in which this process was itself held up counts as one look:
 * that is no fault of the server.
 */
export class CallWatch {
  readonly #ticks: number;
  readonly #onLate: () => void;
  #begun = 0;
  #ended = 0;
  /** How many calls had begun at each of the latest looks, the oldest first. */
  #begunBefore: number[] = [];
  #timer: ReturnType<typeof setInterval> | undefined;

  constructor(ticks: number, onLate: () => void) {
    this.#ticks = ticks;
    this.#onLate = onLate;
  }

  /** A call begins. Calls are answered in the order in which they began. */
  begin(): void {
    this.#begun++;
    this.#timer ??= setInterval(() => this.#look(), TICK_MS);
  }

  /** A call has ended, however it did. */
  end(): void {
    this.#ended++;
  }

  stop(): void {
    clearInterval(this.#timer);
    this.#timer = undefined;
    this.#begunBefore = [];
  }

  #look(): void {
    if (this.#ended === this.#begun) return this.stop();
    this.#begunBefore.push(this.#begun);
    if (this.#begunBefore.length <= this.#ticks) return;
    const due = this.#begunBefore.shift()!;
    if (this.#ended >= due) return;
    this.stop();
    this.#onLate();
  }
}
