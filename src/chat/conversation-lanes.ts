/**
 * Runs work one after another within a lane, in order of arrival; lanes run side by side. A lane exists only while it
 * has work, so memory is bounded by the work in flight.
 */
export class ConversationLanes {
  readonly #tails = new Map<string, Promise<unknown>>();

  /** Settles like `work`. Later work runs even if earlier work failed. */
  run<Result>(lane: string, work: () => Promise<Result>): Promise<Result> {
    const previous = this.#tails.get(lane);
    const result = previous === undefined ? work() : previous.then(work, work);
    this.#tails.set(lane, result);
    const leave = () => {
      if (this.#tails.get(lane) === result) this.#tails.delete(lane);
    };
    result.then(leave, leave);
    return result;
  }

  /** Resolves when no lane has work. */
  async idle(): Promise<void> {
    while (this.#tails.size > 0) await Promise.allSettled(this.#tails.values());
  }
}
