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
