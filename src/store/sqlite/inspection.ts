import type { Database } from "better-sqlite3";

import type { InstanceId } from "../../domain/ids.ts";
import { osUser } from "../../domain/os-user.ts";
import type { EpochMs, Now } from "../../domain/time.ts";
import { SqlBots } from "../aggregates/bots.ts";
import { SqlChanges } from "../aggregates/changes.ts";
import { readHeartbeat } from "../aggregates/clock.ts";
import { SqlEmbedTokens } from "../aggregates/embed-tokens.ts";
import { findIntentModel, findSentenceModel } from "../aggregates/intent-models.ts";
import { SqlKnowledge } from "../aggregates/knowledge/knowledge.ts";
import { SqlOutbox } from "../aggregates/outbox.ts";
import { SqlUsage } from "../aggregates/usage.ts";
import { SqlVectors } from "../aggregates/vectors.ts";
import { type ClockState, clockState } from "../clock-guard.ts";
import type { EmbedTokens } from "../interface/embed-tokens.ts";
import type { Knowledge } from "../interface/knowledge.ts";
import type { Outbox } from "../interface/outbox.ts";
import type { Usage } from "../interface/usage.ts";
import type { Vectors } from "../interface/vectors.ts";
import { TurnCounting } from "./analytics/turn-counting.ts";
import { explain } from "./database.ts";
import { Sqlite } from "./driver.ts";
import { APPLICATION_ID, LATEST_SCHEMA } from "./migrate.ts";
import { engineOf, type SqliteEngine } from "./sqlite-engine.ts";

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

  get bots(): SqlBots {
    return new SqlBots(this.#engine, this.#now, this.#changes);
  }

  get knowledge(): Pick<Knowledge, "generations" | "listPassageIds" | "readTerms" | "findPassages"> {
    return new SqlKnowledge(this.#engine, this.#now, this.#changes);
  }

  findIntentModel(id: string): Promise<Uint8Array | undefined> {
    return this.#engine.read(() => findIntentModel(id));
  }

  findSentenceModel(id: string, encoder: string): Promise<Uint8Array | undefined> {
    return this.#engine.read(() => findSentenceModel(id, encoder));
  }

  get vectors(): Pick<Vectors, "listRunning" | "countUnencoded"> {
    const nobody = { own: "" as InstanceId, noteEncoder: () => {} };
    return new SqlVectors({ engine: this.#engine, looks: this.#engine, instance: nobody });
  }

  get embedTokens(): Pick<EmbedTokens, "list"> {
    return new SqlEmbedTokens(this.#engine, this.#now, this.#changes);
  }

  get outbox(): Pick<Outbox, "countWaitingTurns" | "listFailedNotices"> {
    return new SqlOutbox(this.#engine);
  }

  get counting(): Pick<TurnCounting, "state"> {
    return new TurnCounting(this.#db);
  }

  /** The clock as a process sees it that has just started. */
  async clockState(now: EpochMs): Promise<ClockState> {
    return clockState(await this.#engine.read(readHeartbeat), now, 0);
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
