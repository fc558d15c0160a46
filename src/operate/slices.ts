/** How long others may wait for a piece of work in between, in milliseconds: less than a message of a visitor takes on disk. */
const SLICE_MS = 3;

/** Cuts long work on the main loop into slices, between which messages of visitors are answered. */
export class Slices {
  readonly #signal: AbortSignal;
  #begun = performance.now();

  constructor(signal: AbortSignal) {
    this.#signal = signal;
  }

  /**
   * To be awaited between two small pieces of the work. Once a slice is over, as much time as it took is left to others.
   *
   * @throws the signal's reason once the work is to stop.
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
