import { AsyncLocalStorage } from "node:async_hooks";

import type { Database, Statement } from "better-sqlite3";

import { compile, type Dialect, type Sql } from "../sql/sql.ts";
import type { StatementAnswer, Engine, Work } from "../sql/work.ts";

type Parameter = string | number | Uint8Array | null;

const SQLITE: Dialect<Parameter> = {
  name: "sqlite",
  placeholder: () => "?",
  value: (value) => (typeof value === "boolean" ? Number(value) : value),
  json: (value) => JSON.stringify(value),
  list: (values) => JSON.stringify(values),
};

/** Prepared statements of each connection by their texts, which are few: preparing a statement takes longer than running it. */
const prepared = new WeakMap<Database, Map<string, Statement<Parameter[]>>>();

/** A server's write queue: it waits for the lock without blocking the event loop, which a single statement would do. */
export interface WriteQueue {
  run<Result>(work: () => Result): Promise<Result>;
}

interface SqliteEngineParts {
  db: Database;
  /** Absent in a command, which waits for the lock in each statement. */
  queue: WriteQueue | undefined;
  /** Runs calls outside the queue, notes their failures, and throws the errors that callers get. */
  guarded: <Result>(call: () => Result) => Result;
}

/** Runs works on one connection, each without interruption, so that no other read or write comes in between. */
export class SqliteEngine implements Engine {
  readonly #parts: SqliteEngineParts;

  constructor(parts: SqliteEngineParts) {
    this.#parts = parts;
  }

  async read<Result>(work: () => Work<Result>): Promise<Result> {
    const { db, guarded } = this.#parts;
    return guarded(() => runNow(db, work()));
  }

  async write<Result>(work: () => Work<Result>): Promise<Result> {
    const { db, queue, guarded } = this.#parts;
    const doWork = () => runNow(db, work());
    // A queued work keeps its caller's async context, which holds the actor.
    if (queue !== undefined) return queue.run(AsyncLocalStorage.bind(doWork));
    return guarded(() => db.transaction(doWork).immediate());
  }
}

/** For a command that reads a file, or writes to it alone. */
export function engineOf(db: Database): SqliteEngine {
  return new SqliteEngine({ db, queue: undefined, guarded: (call) => call() });
}

/** Runs a work at once, as part of the caller's transaction if there is one. */
export function runNow<Result>(db: Database, work: Work<Result>): Result {
  let step = work.next();
  while (!step.done) step = work.next(answer(db, step.value));
  return step.value;
}

function answer(db: Database, sql: Sql): StatementAnswer {
  const { text, parameters } = compile(sql, SQLITE);
  const statement = prepare(db, text);
  if (statement.reader) return { rows: statement.all(...parameters), changed: 0 };
  return { rows: [], changed: statement.run(...parameters).changes };
}

function prepare(db: Database, text: string): Statement<Parameter[]> {
  const known = prepared.getOrInsertComputed(db, () => new Map());
  return known.getOrInsertComputed(text, () => db.prepare<Parameter[]>(text));
}
