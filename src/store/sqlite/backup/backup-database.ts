import { existsSync, mkdirSync, statSync } from "node:fs";
import { dirname, resolve, sep } from "node:path";

import type { Database } from "better-sqlite3";

import type { Now } from "../../../domain/time.ts";
import { Sqlite } from "../driver.ts";
import { refuseLostDatabase } from "../marker.ts";
import { lookAtPath, refuseUnusableFolder } from "../usable-folder.ts";
import { type DatabaseContents, checkDatabase, damageReason } from "./check-database.ts";
import { assertRoom, ownLike, giveDurableName } from "./durable-files.ts";
import { BackupError, BackupInputError, explainCopyFault } from "./errors.ts";
import { isOwnFile } from "./own-files.ts";
import { PartFile, removeAbandonedParts } from "./part-file.ts";
import { refuseUnfinishedRestore } from "./unfinished-restore.ts";

/** Progress of a copy: the share, 0–1, that is copied, and then that is checked. Before, it may wait for dead servers. */
export type OnCopy = (stage: "waiting" | "copying" | "checking", share: number) => void;

export interface BackupOptions {
  /** The database file; a server may be writing to it. */
  database: string;
  /** The file to create, with its folder. */
  file: string;
  /** Replaces an existing file. */
  replace: boolean;
  now: Now;
  onCopy?: OnCopy;
  /** Cancels the copying and removes what was written. */
  signal?: AbortSignal;
}

export interface Backup {
  file: string;
  bytes: number;
  contents: DatabaseContents;
}

/** Pages that are copied before the event loop runs again: 4 MB, some milliseconds. Chosen by hand. */
const PAGES_A_STEP = 1000;

/** How long the first read waits while another process opens or recovers the database. */
const BUSY_TIMEOUT_MS = 5000;

/**
 * Copies the database's current state into a file, and checks the copy: its integrity, and that it opens. The file gets its name once it is
 * complete, checked and on disk. The copy reads through a connection of its own, so writers continue.
 *
 * @throws BackupInputError if the file exists and must not be replaced, belongs to the data folder, or its folder cannot be written.
 * @throws BackupError if the database is damaged, or the disk is full.
 */
export async function backupDatabase(options: BackupOptions): Promise<Backup> {
  const { database, replace, now, onCopy } = options;
  const file = resolve(options.file);
  const folder = dirname(file);
  refuseUnusableFolder(database);
  refuseUnfinishedRestore(database);
  refuseLostDatabase(database);
  refuseTarget(options, file);
  using part = createPart(folder, now);
  try {
    await copySnapshot(part.path, options);
    onCopy?.("checking", 1);
    const check = checkDatabase(part.path, now);
    if (!check.sound) throw unsound(database, check.reason);
    if (isInside(folder, dirname(database))) ownLike(dirname(database), part.path);
    if (!giveDurableName(part.path, file, { replace })) throw existing(options.file);
    return { file, bytes: statSync(file).size, contents: check.contents };
  } catch (error) {
    throw explainCopyFault(folder, error);
  }
}

function refuseTarget({ database, file: given, replace }: BackupOptions, file: string): void {
  if (isOwnFile(dirname(database), file)) {
    throw new BackupInputError(
      `${given} is a file of the data folder itself, which a backup never replaces; choose another name`,
    );
  }
  if (lookAtPath(file)?.isDirectory()) {
    throw new BackupInputError(`${given} is a folder; name a file in it`);
  }
  if (!replace && existsSync(file)) throw existing(given);
}

function createPart(folder: string, now: Now): PartFile {
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    removeAbandonedParts(folder, now);
    return new PartFile(folder, now());
  } catch (error) {
    throw new BackupInputError(`cannot write to ${folder}: ${(error as Error).message}`, { cause: error });
  }
}

/**
 * Without one read transaction, every write of another process would restart the copy, and under constant writes it would never end; a
 * test writes so.
 */
async function copySnapshot(part: string, { database, onCopy, signal }: BackupOptions): Promise<void> {
  const source = new Sqlite(database, { fileMustExist: true, timeout: BUSY_TIMEOUT_MS });
  try {
    source.exec("BEGIN");
    assertRoom(dirname(part), sizeOf(source));
    await source.backup(part, {
      progress: ({ totalPages, remainingPages }) => {
        signal?.throwIfAborted();
        onCopy?.("copying", 1 - remainingPages / totalPages);
        return PAGES_A_STEP;
      },
    });
  } catch (error) {
    const reason = damageReason(error);
    throw reason === undefined ? error : unsound(database, reason);
  } finally {
    source.close();
  }
}

/** Bytes of the database in a transaction that this begins. */
function sizeOf(db: Database): number {
  return Number(db.pragma("page_count", { simple: true })) * Number(db.pragma("page_size", { simple: true }));
}

function isInside(folder: string, outer: string): boolean {
  return `${folder}${sep}`.startsWith(`${resolve(outer)}${sep}`);
}

function existing(file: string): BackupInputError {
  return new BackupInputError(`${file} exists; choose another name, or replace it with --force`);
}

function unsound(database: string, reason: string): BackupError {
  return new BackupError(`no backup was made: ${database} ${reason}`);
}
