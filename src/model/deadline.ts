/**
 * A signal that aborts when time is up or when its parent aborts. Disposing of it frees the timer and the listener, so
 * that a finished call leaves nothing behind.
 */
export class Deadline implements Disposable {
  /** Whether time ran out here; false when the parent aborted first. */
  hasPassed = false;
  readonly #controller = new AbortController();
  readonly #timer: ReturnType<typeof setTimeout>;
  readonly #parent: AbortSignal | undefined;
  readonly #follow = () => this.#controller.abort();

  constructor(milliseconds: number, parent?: AbortSignal) {
    this.#parent = parent;
    this.#timer = setTimeout(() => {
      this.hasPassed = !this.signal.aborted;
      this.#controller.abort();
    }, milliseconds);
    if (parent?.aborted) this.#controller.abort();
    parent?.addEventListener("abort", this.#follow, { once: true });
  }

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  [Symbol.dispose](): void {
    clearTimeout(this.#timer);
    this.#parent?.removeEventListener("abort", this.#follow);
  }
}

/** Settles as `work` does, or with `undefined` as soon as the signal aborts. */
export function orAborted<Result>(work: Promise<Result>, signal: AbortSignal): Promise<Result | undefined> {
  return new Promise((resolve, reject) => {
    const stop = () => resolve(undefined);
    if (signal.aborted) stop();
    signal.addEventListener("abort", stop, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener("abort", stop));
  });
}
