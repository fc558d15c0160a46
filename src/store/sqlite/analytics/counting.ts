import type { Counting } from "../../aggregates/analytics.ts";
import type { CountingState, CountingStep } from "../../interface/analytics.ts";
import type { Telling } from "../../interface/outbox.ts";
import type { TurnCounting } from "./turn-counting.ts";

interface SqliteCountingParts {
  counting: TurnCounting;
  /** Writes in a transaction that messages may share. */
  write: <Result>(work: () => Result) => Promise<Result>;
  /** Reads, and turns the failures of storage into what callers learn of them. */
  read: <Result>(read: () => Result) => Result;
}

/** Counts turns in SQLite. */
export class SqliteCounting implements Counting {
  /** A step holds the loop: a message that comes meanwhile waits no longer. */
  readonly countingPace = { stepMs: 3, mostTurns: 400, pauses: 3 };
  readonly #parts: SqliteCountingParts;

  constructor(parts: SqliteCountingParts) {
    this.#parts = parts;
  }

  async countTurns(most: number, telling?: Telling): Promise<CountingStep> {
    const { counting, read, write } = this.#parts;
    if (!read(() => counting.hasWork())) return { counted: 0, mayGoOn: false, tookMs: 0 };
    return write(() => {
      const startedAt = performance.now();
      return { ...counting.step(most, telling), tookMs: performance.now() - startedAt };
    });
  }

  async countingState(): Promise<CountingState> {
    return this.#parts.read(() => this.#parts.counting.state());
  }
}
