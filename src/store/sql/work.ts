import type { Sql } from "./sql.ts";

/** What an engine answers to a statement. */
export interface StatementAnswer {
  /** What a statement returns that selects, or has `RETURNING`. */
  rows: readonly unknown[];
  /** How many rows a statement without either has changed. */
  changed: number;
}

/**
 * What is done with the statements of one transaction, written once for both engines: each `yield` hands a statement to the engine, and gets
 * its answer. SQLite answers at once, so that a work is a part of its group commit; PostgreSQL is awaited.
 *
 * A work may be done again after a failure: it touches nothing but the database. What fails in it is not to be caught in it, as PostgreSQL
 * takes no further statement then.
 */
export type Work<Result> = Generator<Sql, Result, StatementAnswer>;

/** The rows of a statement. Integers are numbers; what is boolean in PostgreSQL is 0 or 1 in SQLite. */
export function* all<Row>(statement: Sql): Work<Row[]> {
  return (yield statement).rows as Row[];
}

/** The first row of a statement; undefined where it has none. */
export function* first<Row>(statement: Sql): Work<Row | undefined> {
  return (yield statement).rows[0] as Row | undefined;
}

/** The rows of a statement as they are kept in memory: without what is NULL. */
export function* allGiven<Result extends object>(statement: Sql): Work<Result[]> {
  return (yield* all<object>(statement)).map((row) => withoutNulls(row) as Result);
}

/** The first row of a statement, without what is NULL; undefined where it has none. */
export function* firstGiven<Result extends object>(statement: Sql): Work<Result | undefined> {
  const row = yield* first<object>(statement);
  return row && (withoutNulls(row) as Result);
}

function withoutNulls(row: object): object {
  return Object.fromEntries(Object.entries(row).filter(([, value]) => value !== null));
}

/** @returns how many rows the statement has changed. */
export function* run(statement: Sql): Work<number> {
  return (yield statement).changed;
}

/** Does works. What it is given makes a new one for each attempt. */
export interface Engine {
  /** For what only reads: it may run outside a transaction. @throws ServiceError STORAGE_UNAVAILABLE */
  read<Result>(work: () => Work<Result>): Promise<Result>;
  /** In a transaction: all of it, or nothing. @throws ServiceError STORAGE_UNAVAILABLE */
  write<Result>(work: () => Work<Result>): Promise<Result>;
}
