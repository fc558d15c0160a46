import type { ModelCall } from "../domain/completion.ts";

/** Number of latest calls for percentiles; older ones say little about the server's present state. */
const REMEMBERED = 500;

/** How the calls of one model server went. */
export class CallStats {
  calls = 0;
  /** Calls that brought no answer: not in time, or none at all. */
  failures = 0;
  readonly #milliseconds: number[] = [];

  note({ outcome, milliseconds }: ModelCall): void {
    this.#milliseconds[this.calls % REMEMBERED] = milliseconds;
    this.calls += 1;
    if (outcome === "timeout" || outcome === "unavailable") this.failures += 1;
  }

  /** The time within which that share of the latest calls ended, retries included; undefined before the first call. */
  percentileMs(share: number): number | undefined {
    const sorted = this.#milliseconds.toSorted((a, b) => a - b);
    return sorted[Math.ceil(share * sorted.length) - 1];
  }
}
