import { existsSync, statSync } from "node:fs";
import { basename, dirname, join } from "node:path";

import type { Database } from "better-sqlite3";

import { UnusableDatabaseError } from "../unusable-database.ts";
import { ownLike } from "./backup/durable-files.ts";
import { Sqlite } from "./driver.ts";
import { sqliteCode } from "./failure.ts";
import { createPrivately } from "./usable-folder.ts";

/**
 * Holds a data folder, so that no server can begin on it as its only one.
 *
 * @returns what holds it until it is disposed of; undefined where a server runs on it.
 */
export function holdFolder(dataDir: string): Disposable | undefined {
  const file = join(dataDir, "parley.lock");
  const isNew = !existsSync(file);
  const claim = claimFolder(file);
  if (isNew) ownLike(dataDir, file);
  return claim && { [Symbol.dispose]: () => claim.close() };
}

/** Whether a file is the database of a folder that a server runs on: its bytes change while they are read. */
export function isServed(file: string): boolean {
  const folder = dirname(file);
  if (basename(file) !== "parley.db" || !existsSync(join(folder, "parley.lock"))) return false;
  using held = holdFolder(folder);
  return held === undefined;
}

/**
 * Claims a data folder for one process, by a lock on `file` that ends with the process, however that ends.
 *
 * @returns what holds the claim until it is closed; undefined where a server runs on the folder.
 * @throws UnusableDatabaseError where `file` is something else than a lock; the message says what to do.
 */
export function claimFolder(file: string): Pick<FolderClaim, "close"> | undefined {
  const claim = new FolderClaim(file);
  if (claim.takeAlone()) return claim;
  claim.close();
  return undefined;
}

/**
 * A server's claim on its data folder: alone while it looks after what earlier servers left, then shared with servers that come later. A
 * lock on the file holds it, and ends with the process, however that ends.
 */
export class FolderClaim {
  readonly #file: string;
  readonly #lock: Database;

  /** @throws UnusableDatabaseError where `file` is something else than a lock, as all methods do; the message says what to do. */
  constructor(file: string) {
    this.#file = file;
    try {
      createPrivately(file);
      this.#lock = new Sqlite(file, { timeout: 0 });
    } catch (error) {
      throw explainUnusableLock(file, error);
    }
  }

  /** @returns false where another process has a claim on the folder. */
  takeAlone(): boolean {
    return this.#take("BEGIN EXCLUSIVE");
  }

  /** Lets others in beside this one. @returns false where another process has the folder for itself. */
  share(): boolean {
    if (this.#lock.inTransaction) this.#lock.exec("ROLLBACK");
    // The schema is read, so that the transaction begins, and holds its lock.
    return this.#take("BEGIN; SELECT count(*) FROM sqlite_schema");
  }

  close(): void {
    this.#lock.close();
  }

  #take(statements: string): boolean {
    try {
      // Nothing is ever written to this file, so it needs no journal file beside it.
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
