/** Does works one after another: those that take a whole core must not take both. A work whose turn comes after its signal is not begun. */
export class OneAtATime {
  #last: Promise<unknown> = Promise.resolve();

  /** @throws the signal's reason where it aborts before the work's turn. */
  run<Result>(work: () => Promise<Result>, signal?: AbortSignal): Promise<Result> {
    const next = this.#last.then(() => {
      signal?.throwIfAborted();
      return work();
    });
    this.#last = next.catch(() => {});
    return next;
  }
}
