import { existsSync, statSync } from "node:fs";
import { basename, dirname, join } from "node:path";

import type { Database } from "better-sqlite3";

import { UnusableDatabaseError } from "../unusable-database.ts";
import { ownLike } from "./backup/durable-files.ts";
import { Sqlite } from "./driver.ts";
import { sqliteCode } from "./failure.ts";
import { createPrivately } from "./usable-folder.ts";

/**
 * Claims a data folder, so that no server starts on it alone.
 *
 * @returns the claim, to be disposed of; undefined if a server runs on the folder.
 */
export function holdFolder(dataDir: string): Disposable | undefined {
  const file = join(dataDir, "parley.lock");
  const isNew = !existsSync(file);
  const claim = claimFolder(file);
  if (isNew) ownLike(dataDir, file);
  return claim && { [Symbol.dispose]: () => claim.close() };
}

/** Whether a file is the database of a running server: its bytes change while they are read. */
export function isServed(file: string): boolean {
  const folder = dirname(file);
  if (basename(file) !== "parley.db" || !existsSync(join(folder, "parley.lock"))) return false;
  using held = holdFolder(folder);
  return held === undefined;
}

/**
 * Claims a data folder for one process, by a lock on `file` that ends with the process in every case.
 *
 * @returns the claim, to be closed; undefined if a server runs on the folder.
 * @throws UnusableDatabaseError if `file` is not a lock; the message holds the remedy.
 */
export function claimFolder(file: string): Pick<FolderClaim, "close"> | undefined {
  const claim = new FolderClaim(file);
  if (claim.takeAlone()) return claim;
  claim.close();
  return undefined;
}

/**
 * A server's claim on its data folder: exclusive while it gives back what earlier servers left, then shared with servers that start later. A
 * file lock holds it, and ends with the process in every case.
 */
export class FolderClaim {
  readonly #file: string;
  readonly #lock: Database;

  /** @throws UnusableDatabaseError if `file` is not a lock, as all methods do; the message holds the remedy. */
  constructor(file: string) {
    this.#file = file;
    try {
      createPrivately(file);
      this.#lock = new Sqlite(file, { timeout: 0 });
    } catch (error) {
      throw explainUnusableLock(file, error);
    }
  }

  /** @returns false if another process has a claim on the folder. */
  takeAlone(): boolean {
    return this.#take("BEGIN EXCLUSIVE");
  }

  /** Makes the claim shared. @returns false if another process has an exclusive claim. */
  share(): boolean {
    if (this.#lock.inTransaction) this.#lock.exec("ROLLBACK");
    // Reads the schema, so that the transaction begins, and holds its lock.
    return this.#take("BEGIN; SELECT count(*) FROM sqlite_schema");
  }

  close(): void {
    this.#lock.close();
  }

  #take(statements: string): boolean {
    try {
      // Nothing is ever written to this file, so it needs no journal file.
      this.#lock.pragma("journal_mode = MEMORY");
      this.#lock.exec(statements);
      return true;
    } catch (error) {
      if (this.#lock.inTransaction) this.#lock.exec("ROLLBACK");
      if (sqliteCode(error)?.startsWith("SQLITE_BUSY")) return false;
      this.#lock.close();
      throw explainUnusableLock(this.#file, error);
    }
  }
}

function explainUnusableLock(file: string, error: unknown): unknown {
  if (!(error instanceof Error)) return error;
  if (statSync(file, { throwIfNoEntry: false })?.isDirectory() ?? false)
    return new UnusableDatabaseError(`${file} is a folder; remove it, Parley makes a file of that name`);
  if (sqliteCode(error) !== "SQLITE_NOTADB")
    return new UnusableDatabaseError(`cannot use ${file}: ${error.message}`, { cause: error });
  return new UnusableDatabaseError(
    `${file} holds something that is not Parley's; delete it: it never holds data, and Parley makes it again`,
  );
}
