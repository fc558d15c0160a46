import type { Database } from "better-sqlite3";

import type { Now } from "../../../domain/time.ts";
import { listBots } from "../../aggregates/bots.ts";
import { listEmbedTokens } from "../../aggregates/embed-tokens.ts";
import { UnusableDatabaseError } from "../../unusable-database.ts";
import { Sqlite } from "../driver.ts";
import { sqliteCode } from "../failure.ts";
import { APPLICATION_ID, LATEST_SCHEMA, migrate } from "../migrate.ts";
import { runNow } from "../sqlite-engine.ts";

/** The contents of a database, and its schema version. */
export interface DatabaseContents {
  schema: number;
  bots: number;
  embedTokens: number;
  conversations: number;
  turns: number;
}

/** The result of a check. `reason` continues a sentence that begins with the file's name. */
export type DatabaseCheck = { sound: true; contents: DatabaseContents } | { sound: false; reason: string };

/**
 * Reads all of a database file that no other process has open, opens it as a server would, and makes it one plain file without a log
 * next to it. A database of an older Parley is migrated on trial, and stays unchanged.
 */
export function checkDatabase(file: string, now: Now): DatabaseCheck {
  const db = new Sqlite(file, { fileMustExist: true });
  try {
    db.pragma("trusted_schema = OFF");
    db.pragma("journal_mode = DELETE");
    const foreign = foreignReason(db);
    if (foreign !== undefined) return { sound: false, reason: foreign };
    const finding = db.prepare<[], string>("PRAGMA integrity_check(1)").pluck().get();
    // SQLite may print a heading before the finding.
    if (finding !== "ok") return { sound: false, reason: `is damaged: ${finding?.split("\n").at(-1)}` };
    return { sound: true, contents: openForTrial(db, now) };
  } catch (error) {
    const reason = damageReason(error) ?? unreadableReason(error);
    if (reason === undefined) throw error;
    return { sound: false, reason };
  } finally {
    db.close();
  }
}

function foreignReason(db: Database): string | undefined {
  if (db.pragma("application_id", { simple: true }) !== APPLICATION_ID) return "is not a Parley database";
  const schema = schemaOf(db);
  if (schema <= LATEST_SCHEMA) return undefined;
  return `was written by a newer Parley (schema ${schema}, this one knows ${LATEST_SCHEMA}); use the newer executable`;
}

function schemaOf(db: Database): number {
  return Number(db.pragma("user_version", { simple: true }));
}

/** Migrates, reads every bot and token, counts the rest, and rolls the migration back. */
function openForTrial(db: Database, now: Now): DatabaseContents {
  const schema = schemaOf(db);
  const count = (table: string) => Number(db.prepare(`SELECT count(*) FROM ${table}`).pluck().get());
  db.exec("BEGIN IMMEDIATE");
  try {
    // `:memory:` prevents a backup before the migration: this file is a copy already.
    migrate(db, ":memory:", { now });
    return {
      schema,
      bots: runNow(db, listBots()).length,
      embedTokens: runNow(db, listEmbedTokens()).length,
      conversations: count("conversations"),
      turns: count("turns"),
    };
  } finally {
    db.exec("ROLLBACK");
  }
}

/** Why the store cannot read a bot or a token; undefined for other errors. */
function unreadableReason(error: unknown): string | undefined {
  return error instanceof UnusableDatabaseError ? `cannot be opened: ${error.message}` : undefined;
}

const DAMAGE_CODES = /^SQLITE_(CORRUPT|NOTADB|ERROR|CONSTRAINT)/;

/** The damage that an error of SQLite reports; undefined if the file is not at fault, as on a full disk. */
export function damageReason(error: unknown): string | undefined {
  const code = sqliteCode(error);
  if (code === "SQLITE_NOTADB") return "is not a database";
  return code !== undefined && DAMAGE_CODES.test(code)
    ? `is damaged: ${(error as Error).message}`
    : undefined;
}
