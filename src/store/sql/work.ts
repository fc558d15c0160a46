import type { Sql } from "./sql.ts";

/** An engine's answer to a statement. */
export interface StatementAnswer {
  /** Rows of a `SELECT` or a `RETURNING`. */
  rows: readonly unknown[];
  /** Number of rows that a statement without `RETURNING` has changed. */
  changed: number;
}

/**
 * The statements of one transaction, written once for both engines: each `yield` hands a statement to the engine and receives its answer.
 * SQLite answers synchronously, so that a work can be part of its group commit; PostgreSQL is awaited.
 *
 * A work may run again after a failure, so it touches nothing but the database. It must not catch errors of its statements, because
 * PostgreSQL refuses further statements in that transaction.
 */
export type Work<Result> = Generator<Sql, Result, StatementAnswer>;

/** The rows of a statement. Integers are numbers; a PostgreSQL boolean is 0 or 1 in SQLite. */
export function* all<Row>(statement: Sql): Work<Row[]> {
  return (yield statement).rows as Row[];
}

/** The first row of a statement; undefined if there is none. */
export function* first<Row>(statement: Sql): Work<Row | undefined> {
  return (yield statement).rows[0] as Row | undefined;
}

/** The rows of a statement, without columns that are NULL. */
export function* allGiven<Result extends object>(statement: Sql): Work<Result[]> {
  return (yield* all<object>(statement)).map((row) => withoutNulls(row) as Result);
}

/** The first row of a statement, without columns that are NULL; undefined if there is none. */
export function* firstGiven<Result extends object>(statement: Sql): Work<Result | undefined> {
  const row = yield* first<object>(statement);
  return row && (withoutNulls(row) as Result);
}

function withoutNulls(row: object): object {
  return Object.fromEntries(Object.entries(row).filter(([, value]) => value !== null));
}

/** @returns number of rows that the statement changed. */
export function* run(statement: Sql): Work<number> {
  return (yield statement).changed;
}

/** Runs works. Each attempt calls the function for a new work. */
export interface Engine {
  /** For reads only: they may run outside a transaction. @throws ServiceError STORAGE_UNAVAILABLE */
  read<Result>(work: () => Work<Result>): Promise<Result>;
  /** In a transaction. @throws ServiceError STORAGE_UNAVAILABLE */
  write<Result>(work: () => Work<Result>): Promise<Result>;
}
