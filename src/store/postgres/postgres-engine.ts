import { compile, type Dialect } from "../sql/sql.ts";
import type { Engine, Work } from "../sql/work.ts";
import { List, type Parameter, type Queries } from "./connection.ts";
import type { Pool } from "./pool.ts";
import { storableJson, storableText } from "./storable.ts";

const POSTGRES: Dialect<Parameter> = {
  name: "postgres",
  placeholder: (number) => `$${number}`,
  value: (value) => (typeof value === "string" ? storableText(value) : value),
  json: storableJson,
  list: (values) => new List(values),
};

/** Runs works on a pool: reads on any connection, a transaction on one. */
export class PostgresEngine implements Engine {
  readonly #pool: Pool;

  constructor(pool: Pool) {
    this.#pool = pool;
  }

  read<Result>(work: () => Work<Result>): Promise<Result> {
    return runOn(this.#pool, work());
  }

  write<Result>(work: () => Work<Result>): Promise<Result> {
    return this.#pool.transaction((queries) => runOn(queries, work()));
  }
}

/** Runs a work as part of the caller's transaction, if there is one. */
export async function runOn<Result>(queries: Queries, work: Work<Result>): Promise<Result> {
  let step = work.next();
  while (!step.done) {
    const { text, parameters } = compile(step.value, POSTGRES);
    const rows = await queries.query(text, parameters);
    step = work.next({ rows, changed: rows.count });
  }
  return step.value;
}
