import { FOR_UPDATE, sql } from "../sql/sql.ts";
import { type Engine, first, run, type Work } from "../sql/work.ts";

/** Locks the generation: other changes of bots or embed tokens wait for the end of this transaction. */
export function* lockGeneration(): Work<void> {
  yield* run(sql`SELECT generation FROM registry ${FOR_UPDATE}`);
}

/** Tells running servers, in the writer's transaction, that bots or embed tokens have changed. */
export function* bumpGeneration(): Work<void> {
  yield* run(sql`UPDATE registry SET generation = generation + 1`);
}

function* readGeneration(): Work<number> {
  return (yield* first<{ generation: number }>(sql`SELECT generation FROM registry`))!.generation;
}

/** Detects changes of bots and embed tokens by other processes: reads the one row that changes with them. */
export class SqlGenerationWatch {
  /** Interval between two polls, so that a change is known within a second. */
  readonly everyMs: number;
  readonly #engine: Pick<Engine, "read">;
  #generation: number;

  private constructor(engine: Pick<Engine, "read">, everyMs: number, generation: number) {
    this.#engine = engine;
    this.everyMs = everyMs;
    this.#generation = generation;
  }

  static async open(engine: Pick<Engine, "read">, everyMs: number): Promise<SqlGenerationWatch> {
    return new SqlGenerationWatch(engine, everyMs, await engine.read(readGeneration));
  }

  /** True once after each change since the last call, or since the watch was opened. */
  async poll(): Promise<boolean> {
    const generation = await this.#engine.read(readGeneration);
    const isChanged = generation !== this.#generation;
    this.#generation = generation;
    return isChanged;
  }
}
