import type { Database } from "better-sqlite3";

import { createPrivately, sqliteCode } from "./database.ts";
import { Sqlite } from "./driver.ts";

/**
 * Claims a data folder for one server, by a lock on `file` that ends with the process, however that ends.
 *
 * @returns what holds the claim until it is closed; undefined where another server holds it.
 */
export function claimFolder(file: string): Pick<Database, "close"> | undefined {
  createPrivately(file);
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
