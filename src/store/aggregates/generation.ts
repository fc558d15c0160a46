import { FOR_UPDATE, sql } from "../sql/sql.ts";
import { run, type Work } from "../sql/work.ts";

/** Has whoever else changes bots or embed tokens wait for the end of this transaction. */
export function* lockGeneration(): Work<void> {
  yield* run(sql`SELECT generation FROM registry ${FOR_UPDATE}`);
}

/** Says, in the writer's transaction, that bots or embed tokens have changed. */
export function* bumpGeneration(): Work<void> {
  yield* run(sql`UPDATE registry SET generation = generation + 1`);
}
