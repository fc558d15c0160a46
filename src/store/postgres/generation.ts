import type { GenerationWatch } from "../interface/store.ts";
import type { Queries } from "./connection.ts";

/** Has whoever else changes bots or embed tokens wait for the end of this transaction. */
export async function lockGeneration(queries: Queries): Promise<void> {
  await queries.query("SELECT generation FROM registry FOR UPDATE");
}

/** Says, inside the writer's transaction, that bots or embed tokens have changed. */
export async function bumpGeneration(queries: Queries): Promise<void> {
  await queries.query("UPDATE registry SET generation = generation + 1");
}

/** Reads the one row that changes with bots and embed tokens. */
export class PostgresGenerationWatch implements GenerationWatch {
  /** With the time that a reload takes, a change is known within a second. */
  readonly everyMs = 400;
  readonly #queries: Queries;
  #generation: number;

  private constructor(queries: Queries, generation: number) {
    this.#queries = queries;
    this.#generation = generation;
  }

  static async open(queries: Queries): Promise<PostgresGenerationWatch> {
    return new PostgresGenerationWatch(queries, await readGeneration(queries));
  }

  async poll(): Promise<boolean> {
    const generation = await readGeneration(this.#queries);
    if (generation === this.#generation) return false;
    this.#generation = generation;
    return true;
  }
}

async function readGeneration(queries: Queries): Promise<number> {
  const [row] = await queries.query<{ generation: number }>("SELECT generation FROM registry");
  return row!.generation;
}
