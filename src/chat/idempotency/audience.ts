/**
 * Those who wait for one answer. When the last of them has left and nobody has joined for a while, `signal` aborts: the
 * answer is for nobody.
 */
export class Audience {
  readonly #left = new AbortController();
  readonly #graceMs: number;
  #present = 0;
  #timer: ReturnType<typeof setTimeout> | undefined;

  /** `graceMs`: how long an answer without an audience goes on. */
  constructor(graceMs: number) {
    this.#graceMs = graceMs;
  }

  get signal(): AbortSignal {
    return this.#left.signal;
  }

  /** Someone waits until `leaving` aborts. */
  join(leaving: AbortSignal): void {
    clearTimeout(this.#timer);
    this.#present += 1;
    if (leaving.aborted) this.#leave();
    else leaving.addEventListener("abort", () => this.#leave(), { once: true });
  }

  /** The answer is there: nobody can leave any more. */
  close(): void {
    clearTimeout(this.#timer);
    this.#present = Number.POSITIVE_INFINITY;
  }

  #leave(): void {
    this.#present -= 1;
    if (this.#present > 0) return;
    this.#timer = setTimeout(() => this.#left.abort(), this.#graceMs);
  }
}
