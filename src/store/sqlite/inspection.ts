import type { Database } from "better-sqlite3";

import { osUser } from "../../domain/os-user.ts";
import type { EpochMs, Now } from "../../domain/time.ts";
import { SqlChanges } from "../aggregates/changes.ts";
import { SqlEmbedTokens } from "../aggregates/embed-tokens.ts";
import { SqlUsage } from "../aggregates/usage.ts";
import type { EmbedTokens } from "../interface/embed-tokens.ts";
import type { Knowledge } from "../interface/knowledge.ts";
import type { Usage } from "../interface/usage.ts";
import type { Vectors } from "../interface/vectors.ts";
import { TurnCounting } from "./analytics/turn-counting.ts";
import { SqliteBots } from "./bots.ts";
import { type ChangeRecorder, recorderOf } from "./change-recorder.ts";
import { SqliteClock } from "./clock.ts";
import { explain } from "./database.ts";
import { Sqlite } from "./driver.ts";
import { findIntentModel, findSentenceModel } from "./intent-models.ts";
import { SqliteKnowledge } from "./knowledge.ts";
import { APPLICATION_ID, LATEST_SCHEMA } from "./migrate.ts";
import { SqliteOutbox } from "./outbox.ts";
import { engineOf, type SqliteEngine } from "./sqlite-engine.ts";
import { countUnencoded, listRunning } from "./vectors.ts";

/** What a file turned out to hold. Rows can be read of `current` alone. */
export type Contents = "current" | "older" | "newer" | "foreign" | "empty";

/** How long a statement waits while a server recovers the write-ahead log. */
const BUSY_TIMEOUT_MS = 5000;

/** A database file that is open for looking at it. Nothing is written, migrated or claimed; a server may run beside it. */
export class Inspection implements Disposable {
  readonly contents: Contents;
  readonly #db: Database;
  readonly #now: Now;
  readonly #engine: SqliteEngine;
  /** Never written to: the file is open for reading. */
  readonly #changes: SqlChanges;

  /** @throws UnusableDatabaseError when the file cannot be read, or is no database. */
  constructor(file: string, now: Now) {
    this.#now = now;
    let db: Database | undefined;
    try {
      db = new Sqlite(file, { readonly: true, fileMustExist: true, timeout: BUSY_TIMEOUT_MS });
      this.contents = contentsOf(db);
      this.#db = db;
      this.#engine = engineOf(db);
      this.#changes = new SqlChanges(this.#engine, now, { kind: "user", name: osUser() });
    } catch (error) {
      db?.close();
      throw explain(file, error);
    }
  }

  get #recorder(): ChangeRecorder {
    return recorderOf(this.#db, this.#changes);
  }

  get bots(): SqliteBots {
    return new SqliteBots(this.#db, this.#now, this.#recorder);
  }

  get knowledge(): Pick<Knowledge, "generations" | "listPassageIds" | "readTerms" | "findPassages"> {
    return new SqliteKnowledge({
      db: this.#db,
      now: this.#now,
      changes: this.#recorder,
      read: (read) => read(),
    });
  }

  findIntentModel(id: string): Uint8Array | undefined {
    return findIntentModel(this.#db, id);
  }

  findSentenceModel(id: string, encoder: string): Uint8Array | undefined {
    return findSentenceModel(this.#db, id, encoder);
  }

  get vectors(): Pick<Vectors, "listRunning" | "countUnencoded"> {
    return {
      listRunning: async () => listRunning(this.#db),
      countUnencoded: async (encoder) => countUnencoded(this.#db, encoder),
    };
  }

  get embedTokens(): Pick<EmbedTokens, "list"> {
    return new SqlEmbedTokens(this.#engine, this.#now, this.#changes);
  }

  get outbox(): SqliteOutbox {
    return new SqliteOutbox(this.#db);
  }

  get counting(): Pick<TurnCounting, "state"> {
    return new TurnCounting(this.#db);
  }

  get clock(): SqliteClock {
    return new SqliteClock(this.#db);
  }

  get usage(): Pick<Usage, "read"> {
    return new SqlUsage(this.#engine, this.#changes);
  }

  /** When the latest turn was stored, by the clock of that time. */
  findLatestTurnAt(): EpochMs | undefined {
    return this.#db.prepare<[], number | null>("SELECT max(at) FROM turns").pluck().get() ?? undefined;
  }

  /** Every table, and the one that lists them. */
  tables(): string[] {
    const names = this.#db.prepare<[], string>("SELECT name FROM sqlite_schema WHERE type = 'table'");
    return ["sqlite_schema", ...names.pluck().all()];
  }

  /** What is wrong with the pages of a table and its indexes, in SQLite's words; it reads all of them. */
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

function contentsOf(db: Database): Contents {
  if (db.prepare("SELECT count(*) FROM sqlite_schema").pluck().get() === 0) return "empty";
  if (db.pragma("application_id", { simple: true }) !== APPLICATION_ID) return "foreign";
  const schema = Number(db.pragma("user_version", { simple: true }));
  if (schema === LATEST_SCHEMA) return "current";
  return schema < LATEST_SCHEMA ? "older" : "newer";
}

/** Unpacks and loads the SQLite driver. @throws Error where that fails. */
export function loadDriver(): void {
  new Sqlite(":memory:").close();
}
