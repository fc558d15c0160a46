/** Times the stages of a turn. */
export class Stopwatch {
  /** Milliseconds per stage, to the microsecond. */
  readonly lapsMs: Record<string, number> = {};
  #lapStartedAt = performance.now();

  /** Ends a stage; the next one starts. */
  lap(stage: string): void {
    const now = performance.now();
    this.lapsMs[stage] = Math.round((now - this.#lapStartedAt) * 1000) / 1000;
    this.#lapStartedAt = now;
  }
}
