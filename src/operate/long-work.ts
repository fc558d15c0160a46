/** Longest time in milliseconds that work runs before others get a turn: less than storing a visitor's message takes. */
const SLICE_MS = 3;

/** Divides long work on the main loop into slices, between which visitors' messages are answered. */
export class Slices {
  readonly #signal: AbortSignal;
  #begun = performance.now();

  constructor(signal: AbortSignal) {
    this.#signal = signal;
  }

  /**
   * Await between two small steps of the work. After a slice, others get as much time as it took.
   *
   * @throws the signal's reason if it has aborted.
   */
  async pause(): Promise<void> {
    const spentMs = performance.now() - this.#begun;
    if (spentMs >= SLICE_MS) {
      await Bun.sleep(spentMs);
      this.#begun = performance.now();
    }
    this.#signal.throwIfAborted();
  }
}

/** Runs tasks one after another, so that tasks that fill a core do not fill two. A task whose signal has aborted is not started. */
export class OneAtATime {
  #last: Promise<unknown> = Promise.resolve();

  /** @throws the signal's reason if it aborts before the task starts. */
  run<Result>(work: () => Promise<Result>, signal?: AbortSignal): Promise<Result> {
    const next = this.#last.then(() => {
      signal?.throwIfAborted();
      return work();
    });
    this.#last = next.catch(() => {});
    return next;
  }
}
