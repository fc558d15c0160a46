/** A value that may be available at once, so that waiting for it costs nothing. */
export type Awaitable<T> = T | Promise<T>;

/**
 * Resolves when the work is done, or after that time; nothing keeps the process alive for longer than the work.
 *
 * @throws whatever the work is rejected with in that time.
 */
export async function waitAtMost(work: Promise<unknown> | undefined, milliseconds: number): Promise<void> {
  const { promise: over, resolve } = Promise.withResolvers<void>();
  const timer = setTimeout(resolve, milliseconds);
  try {
    await Promise.race([work, over]);
  } finally {
    clearTimeout(timer);
  }
}

/** How long work may block the event loop, in milliseconds: short enough that waiting messages are not noticeably delayed. */
const AT_A_STRETCH_MS = 4;

/** Lets others run in between, for work that takes longer than a message may wait. */
export class Breather {
  #since = performance.now();

  /** Whether it is time to let others run. */
  get isDue(): boolean {
    return performance.now() - this.#since >= AT_A_STRETCH_MS;
  }

  /** Resolves when waiting tasks have run; at once if it is not time yet. */
  async breathe(): Promise<void> {
    if (!this.isDue) return;
    await othersTurn();
    this.#since = performance.now();
  }
}

/** Resolves when those that wait have run. */
export function othersTurn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
