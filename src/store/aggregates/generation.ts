import type { GenerationWatch } from "../interface/store.ts";
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

/** Reads the one row that changes with bots and embed tokens. */
export class SqlGenerationWatch implements GenerationWatch {
  readonly everyMs: number;
  readonly #engine: Pick<Engine, "read">;
  #generation: number;

  private constructor(engine: Pick<Engine, "read">, everyMs: number, generation: number) {
    this.#engine = engine;
    this.everyMs = everyMs;
    this.#generation = generation;
  }

  /** @param everyMs interval between two polls. */
  static async open(engine: Pick<Engine, "read">, everyMs: number): Promise<SqlGenerationWatch> {
    return new SqlGenerationWatch(engine, everyMs, await engine.read(readGeneration));
  }

  async poll(): Promise<boolean> {
    const generation = await this.#engine.read(readGeneration);
    const isChanged = generation !== this.#generation;
    this.#generation = generation;
    return isChanged;
  }
}
