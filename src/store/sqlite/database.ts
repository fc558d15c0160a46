import { constants } from "node:fs";
import { dirname } from "node:path";

import type { Database } from "better-sqlite3";

import type { OnUpgrade } from "../on-upgrade.ts";
import { UnusableDatabaseError } from "../unusable-database.ts";
import { refuseUnfinishedRestore } from "./backup/unfinished-restore.ts";
import { Sqlite } from "./driver.ts";
import { sqliteCode } from "./failure.ts";
import { markDatabase, refuseLostDatabase } from "./marker.ts";
import { migrate } from "./migrate.ts";
import { accessFault, createPrivately, refuseUnusableFolder } from "./usable-folder.ts";

/** Timeout of opening: another process that opens, closes or recovers the file locks it for a moment. */
const OPENING_TIMEOUT_MS = 5000;
/** Pause between two tries: another process needs some milliseconds to create the write-ahead log. */
const LOG_PAUSE_MS = 5;

/**
 * Opens the database file, creating folder, file and schema as needed: WAL, every commit on disk, foreign keys. `busyTimeoutMs`: how long a
 * statement blocks while another process writes.
 *
 * @throws UnusableDatabaseError if the file, its folder or the driver cannot be used; the message holds the remedy.
 */
export function openDatabase(file: string, busyTimeoutMs: number, onUpgrade?: OnUpgrade): Database {
  if (file !== ":memory:") refuseUnusableFolder(file);
  refuseUnfinishedRestore(file);
  const db = openFile(file);
  try {
    refuseOtherJournal(file, useLog(db, file, onUpgrade));
    db.pragma("synchronous = FULL");
    db.pragma("foreign_keys = ON");
    db.pragma("trusted_schema = OFF");
    // Erased data is overwritten, not only unlinked: `conversation delete` serves requests for erasure.
    db.pragma("secure_delete = ON");
    migrate(db, file, { now: Date.now, onUpgrade });
    if (file !== ":memory:") markDatabase(file);
    db.pragma(`busy_timeout = ${busyTimeoutMs}`);
    return db;
  } catch (error) {
    db.close();
    throw explain(file, error);
  }
}

/** Two processes may switch a new database to WAL at once, and SQLite does not wait for that lock. @returns the granted journal mode. */
function useLog(db: Database, file: string, onUpgrade: OnUpgrade | undefined): unknown {
  const deadline = performance.now() + OPENING_TIMEOUT_MS;
  for (let attempt = 0; ; attempt += 1) {
    try {
      return db.pragma("journal_mode = WAL", { simple: true });
    } catch (error) {
      if (!sqliteCode(error)?.startsWith("SQLITE_BUSY") || performance.now() >= deadline) throw error;
    }
    if (attempt === 0) onUpgrade?.(`${file} is waited for: another process makes it`);
    Bun.sleepSync(LOG_PAUSE_MS);
  }
}

/** Some network file systems grant no write-ahead log: a power cut could then lose a commit, and writers would block readers. */
export function refuseOtherJournal(file: string, granted: unknown): void {
  if (file === ":memory:" || granted === "wal") return;
  throw new UnusableDatabaseError(
    `SQLite got no write-ahead log for ${file} (it got "${String(granted)}"), as on network file systems; keep the data folder on a local disk, or use PostgreSQL with --store`,
  );
}

function openFile(file: string): Database {
  try {
    if (file !== ":memory:") {
      refuseLostDatabase(file);
      createPrivately(file);
    }
    return new Sqlite(file, { timeout: OPENING_TIMEOUT_MS });
  } catch (error) {
    throw explain(file, error);
  }
}

/** The error for an operator when opening `file` fails. */
export function explain(file: string, error: unknown): unknown {
  if (!(error instanceof Error) || error instanceof UnusableDatabaseError) return error;
  if (/failed to map segment|cannot open shared object file/.test(error.message)) {
    const message = `the SQLite driver could not be unpacked (${error.message}); point BUN_TMPDIR at a writable folder on a file system without noexec`;
    return new UnusableDatabaseError(message, { cause: error });
  }
  if (sqliteCode(error) === "SQLITE_NOTADB") {
    return new UnusableDatabaseError(
      `${file} is not a Parley database; choose another folder with --data, or restore a backup if it was one`,
    );
  }
  if (sqliteCode(error)?.startsWith("SQLITE_CORRUPT")) {
    const message = `${file} is damaged (${error.message}); keep a copy of the folder, look at the disk, and restore the latest sound backup`;
    return new UnusableDatabaseError(message, { cause: error });
  }
  if (isReadOnlyDisk(file, error)) {
    const message = `${dirname(file)} is on a disk that is mounted read-only; mount it for writing, or choose another folder with --data`;
    return new UnusableDatabaseError(message, { cause: error });
  }
  const cure = sqliteCode(error)?.startsWith("SQLITE_READONLY")
    ? "; `parley doctor` says why, and what to do"
    : "";
  return new UnusableDatabaseError(`cannot use ${file}: ${error.message}${cure}`, { cause: error });
}

/** SQLite only says that it cannot open the file. */
function isReadOnlyDisk(file: string, error: Error): boolean {
  return [accessFault(dirname(file), constants.W_OK), (error as NodeJS.ErrnoException).code].includes(
    "EROFS",
  );
}
