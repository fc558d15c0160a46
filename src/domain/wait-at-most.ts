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
