import type { Database } from "better-sqlite3";

import type { InstanceId } from "../../domain/ids.ts";
import type { EpochMs, Now } from "../../domain/time.ts";
import { SqlStore } from "../aggregates/sql-store.ts";
import { TurnCounting } from "./analytics/turn-counting.ts";
import { explain } from "./database.ts";
import { Sqlite } from "./driver.ts";
import { APPLICATION_ID, LATEST_SCHEMA } from "./migrate.ts";
import { engineOf } from "./sqlite-engine.ts";

/** The kind of a database file. Rows can be read only if it is `current`. */
export type Contents = "current" | "older" | "newer" | "foreign" | "empty";

/** How long a statement waits while a server recovers the write-ahead log. */
const BUSY_TIMEOUT_MS = 5000;

/** A read-only database file: SQLite refuses to write. Nothing is migrated or claimed; a server may run on it. */
export class Inspection extends SqlStore implements Disposable {
  readonly contents: Contents;
  readonly #db: Database;

  /** @throws UnusableDatabaseError if the file cannot be read, or is not a database. */
  constructor(file: string, now: Now) {
    const { db, contents } = openToLook(file);
    const engine = engineOf(db);
    const refuse = () => Promise.reject(new Error("a database that is looked at is not written to"));
    super({
      engine,
      sound: engine,
      assertSound: () => {},
      looks: engine,
      now,
      by: undefined,
      instance: { own: "" as InstanceId, noteBuild: () => {}, noteEncoder: () => {} },
      recordLive: refuse,
      wipeFiles: refuse,
      watchEveryMs: Infinity,
    });
    this.#db = db;
    this.contents = contents;
  }

  get counting(): Pick<TurnCounting, "state"> {
    return new TurnCounting(this.#db);
  }

  /** When the latest turn was stored, by the clock of that time. */
  findLatestTurnAt(): EpochMs | undefined {
    return this.#db.prepare<[], number | null>("SELECT max(at) FROM turns").pluck().get() ?? undefined;
  }

  /** Whether a server is registered: one runs, or was killed. */
  hasServer(): boolean {
    return this.#db.prepare("SELECT 1 FROM instances LIMIT 1").get() !== undefined;
  }

  /** Every table, and the schema table. */
  tables(): string[] {
    const names = this.#db.prepare<[], string>("SELECT name FROM sqlite_schema WHERE type = 'table'");
    return ["sqlite_schema", ...names.pluck().all()];
  }

  /** Damaged pages of a table and its indexes, in SQLite's words. Reads all of them. */
  quickCheck(table: string): string[] {
    const rows = this.#db.prepare<[string], string>("SELECT quick_check FROM pragma_quick_check(?)");
    return rows
      .pluck()
      .all(table)
      .filter((row) => row !== "ok");
  }

  [Symbol.dispose](): void {
    this.#db.close();
  }
}

function openToLook(file: string): { db: Database; contents: Contents } {
  let db: Database | undefined;
  try {
    db = new Sqlite(file, { readonly: true, fileMustExist: true, timeout: BUSY_TIMEOUT_MS });
    return { db, contents: contentsOf(db) };
  } catch (error) {
    db?.close();
    throw explain(file, error);
  }
}

function contentsOf(db: Database): Contents {
  if (db.prepare("SELECT count(*) FROM sqlite_schema").pluck().get() === 0) return "empty";
  if (db.pragma("application_id", { simple: true }) !== APPLICATION_ID) return "foreign";
  const schema = Number(db.pragma("user_version", { simple: true }));
  if (schema === LATEST_SCHEMA) return "current";
  return schema < LATEST_SCHEMA ? "older" : "newer";
}

/** Unpacks and loads the SQLite driver. @throws Error if that fails. */
export function loadDriver(): void {
  new Sqlite(":memory:").close();
}
