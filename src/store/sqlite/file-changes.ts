import type { Database } from "better-sqlite3";

import type { Actor, Change } from "../../domain/change.ts";
import type { Now } from "../../domain/time.ts";
import { SqlChanges } from "../aggregates/changes.ts";
import { Sqlite } from "./driver.ts";
import { LATEST_SCHEMA } from "./migrate.ts";
import changesSql from "./migrations/0007-changes.sql" with { type: "text" };
import { engineOf, runNow } from "./sqlite-engine.ts";

/** How long it waits while a server writes. */
const BUSY_TIMEOUT_MS = 5000;

/**
 * Records a change in a database that this process has not opened, even while a server runs.
 *
 * @returns false if the database is of another version: it stays unchanged.
 */
export function noteInDatabase(file: string, change: Change, by: Actor, now: Now): boolean {
  const db = new Sqlite(file, { fileMustExist: true, timeout: BUSY_TIMEOUT_MS });
  try {
    if (db.pragma("user_version", { simple: true }) !== LATEST_SCHEMA) return false;
    db.pragma("synchronous = FULL");
    appendTo(db, change, by, now);
    return true;
  } finally {
    db.close();
  }
}

/** Tables that let operators sign in without a password; their rows must not become valid again with an old database. */
const ENTRIES = ["sign_in_links", "operator_sessions"];

/**
 * Records a restore in a copy that no process has open, and that may be of an older version: its audit log begins here then. Links and
 * sessions are deleted, because some may have been used or ended since the backup.
 */
export function noteInRestored(file: string, change: Change, by: Actor, now: Now): void {
  const db = new Sqlite(file, { fileMustExist: true });
  try {
    const note = db.transaction(() => {
      db.exec(changesSql);
      for (const table of ENTRIES.filter((name) => hasTable(db, name))) db.exec(`DELETE FROM ${table}`);
      appendTo(db, change, by, now);
    });
    note.immediate();
  } finally {
    db.close();
  }
}

/** Records a change; part of the caller's transaction. */
export function appendTo(db: Database, change: Change, by: Actor, now: Now): void {
  runNow(db, new SqlChanges(engineOf(db), now, by).append(change));
}

function hasTable(db: Database, name: string): boolean {
  return db.prepare("SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = ?").get(name) !== undefined;
}
