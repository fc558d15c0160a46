/**
 * A signal that aborts when time is up or when its parent aborts. Disposing of it frees the timer and the listener, so
 * that a finished call keeps no resources.
 */
export class Deadline implements Disposable {
  /** Whether time ran out here; false when the parent aborted first. */
  hasPassed = false;
  readonly #endsAt: number;
  readonly #controller = new AbortController();
  readonly #timer: ReturnType<typeof setTimeout>;
  readonly #parent: AbortSignal | undefined;
  readonly #follow = () => this.#controller.abort();

  constructor(milliseconds: number, parent?: AbortSignal) {
    this.#parent = parent;
    this.#endsAt = performance.now() + milliseconds;
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

  get remainingMs(): number {
    return this.#endsAt - performance.now();
  }

  [Symbol.dispose](): void {
    clearTimeout(this.#timer);
    this.#parent?.removeEventListener("abort", this.#follow);
  }
}

/** Resolves after that time, or as soon as the signal aborts. */
export function sleepUnlessAborted(milliseconds: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const wake = () => {
      clearTimeout(timer);
      signal.removeEventListener("abort", wake);
      resolve();
    };
    const timer = setTimeout(wake, signal.aborted ? 0 : milliseconds);
    signal.addEventListener("abort", wake, { once: true });
  });
}
