import { statSync } from "node:fs";

import type { Database } from "better-sqlite3";

import { createPrivately, sqliteCode } from "./database.ts";
import { Sqlite } from "./driver.ts";
import { UnusableDatabaseError } from "./migrate.ts";

/**
 * Claims a data folder for one server, by a lock on `file` that ends with the process, however that ends.
 *
 * @returns what holds the claim until it is closed; undefined where another server holds it.
 * @throws UnusableDatabaseError where `file` is something else than a lock; the message says what to do.
 */
export function claimFolder(file: string): Pick<Database, "close"> | undefined {
  try {
    createPrivately(file);
    return lockFile(file);
  } catch (error) {
    throw explainUnusableLock(file, error);
  }
}

function lockFile(file: string): Pick<Database, "close"> | undefined {
  const lock = new Sqlite(file, { timeout: 0 });
  try {
    // Nothing is ever written to this file, so it needs no journal file beside it.
    lock.pragma("journal_mode = MEMORY");
    lock.exec("BEGIN EXCLUSIVE");
    return lock;
  } catch (error) {
    lock.close();
    if (sqliteCode(error)?.startsWith("SQLITE_BUSY")) return undefined;
    throw error;
  }
}

function explainUnusableLock(file: string, error: unknown): unknown {
  if (!(error instanceof Error)) return error;
  const isFolder = statSync(file, { throwIfNoEntry: false })?.isDirectory() ?? false;
  if (isFolder) {
    return new UnusableDatabaseError(`${file} is a folder; remove it, Parley makes a file of that name`);
  }
  if (sqliteCode(error) === "SQLITE_NOTADB") {
    return new UnusableDatabaseError(
      `${file} holds something that is not Parley's; delete it: it never holds data, and Parley makes it again`,
    );
  }
  return new UnusableDatabaseError(`cannot use ${file}: ${error.message}`, { cause: error });
}
