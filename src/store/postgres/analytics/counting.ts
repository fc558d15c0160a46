import type { Counting } from "../../aggregates/analytics.ts";
import type { CountingState, CountingStep } from "../../interface/analytics.ts";
import type { Telling } from "../../interface/outbox.ts";
import type { Pool } from "../pool.ts";
import { PostgresTurnCounting } from "./turn-counting.ts";

/** Counts turns in PostgreSQL. */
export class PostgresCounting implements Counting {
  /** A step holds a connection that messages do not need; a third of the time is left to them on the machine of the database. */
  readonly countingPace = { stepMs: 100, mostTurns: 1000, pauses: 0.5 };
  readonly #pool: Pool;
  readonly #counting = new PostgresTurnCounting();

  constructor(pool: Pool) {
    this.#pool = pool;
  }

  async countTurns(most: number, telling?: Telling): Promise<CountingStep> {
    if (!(await this.#counting.hasWork(this.#pool))) return { counted: 0, mayGoOn: false, tookMs: 0 };
    return this.#pool.transaction(async (queries) => {
      const startedAt = performance.now();
      const step = await this.#counting.step(queries, most, telling);
      return { ...step, tookMs: performance.now() - startedAt };
    });
  }

  countingState(): Promise<CountingState> {
    return this.#counting.state(this.#pool);
  }
}
