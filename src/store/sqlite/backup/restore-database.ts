import { existsSync, mkdirSync, statSync } from "node:fs";
import { type FileHandle, open } from "node:fs/promises";
import { join } from "node:path";

import type { Actor } from "../../../domain/change.ts";
import { fileFault } from "../../../domain/file-fault.ts";
import type { Now } from "../../../domain/time.ts";
import { noteInRestored } from "../file-changes.ts";
import { holdFolder, isServed } from "../folder-claim.ts";
import { markForOwner } from "../marker.ts";
import { refuseUnusableFolder } from "../usable-folder.ts";
import type { OnCopy } from "./backup-database.ts";
import { stampOf } from "./backup-names.ts";
import { type DatabaseContents, checkDatabase } from "./check-database.ts";
import { assertRoom, ownLike, syncPath } from "./durable-files.ts";
import { BackupError, BackupInputError, explainCopyFault, unconfirmed } from "./errors.ts";
import { PartFile, removeAbandonedParts } from "./part-file.ts";
import { lockAlone, replacementSteps, keptFiles } from "./replace-database.ts";

export interface RestoreOptions {
  /** A backup, or a copy of a database with its log next to it. It is only read. */
  file: string;
  /** Created if it is missing. */
  dataDir: string;
  now: Now;
  /** The actor of the restore, for the restored database's audit log. */
  by: Actor;
  onCopy?: OnCopy;
  /** Cancels the copying; nothing is changed. */
  signal?: AbortSignal;
}

export interface Restored {
  database: string;
  bytes: number;
  contents: DatabaseContents;
  /** The replaced files, under their new names. */
  kept: string[];
}

/** Files next to a database that was copied while in use. */
const CARRIED = ["-wal", "-journal"];

/**
 * Replaces a data folder's database by a copy of `file`, once the copy is checked. The replaced database is kept next to it. At every moment
 * the folder holds the old database or the new one.
 *
 * @throws BackupInputError if the file cannot be used.
 * @throws BackupError if a server runs on the folder, or it cannot be written.
 */
export async function restoreDatabase(options: RestoreOptions): Promise<Restored> {
  const { file, dataDir, now, onCopy } = options;
  const database = join(dataDir, "parley.db");
  const bytes = sizeOfBackup(file);
  refuseUnusableFolder(database);
  refuseUnusableSource(file, database);
  try {
    mkdirSync(dataDir, { recursive: true, mode: 0o700 });
    using held = holdFolder(dataDir);
    if (held === undefined) throw new BackupError(`a server runs on ${dataDir}; stop it, and try again`);
    assertRoom(dataDir, bytes);
    removeAbandonedParts(dataDir, now);
    using part = new PartFile(dataDir, now());
    await copyBackup(part.path, bytes, options);
    onCopy?.("checking", 1);
    const check = checkDatabase(part.path, now);
    if (!check.sound) throw new BackupInputError(`${file} ${check.reason}; nothing was changed`);
    const keptName = `parley.db.before-restore-${stampOf(now())}`;
    noteRestore(part.path, options, { bytes, ...check.contents, keptName });
    syncPath(part.path);
    ownLike(dataDir, part.path);
    const kept = putInPlace(part.path, database, join(dataDir, keptName));
    markForOwner(database);
    return { database, bytes: statSync(database).size, contents: check.contents, kept };
  } catch (error) {
    throw explainCopyFault(dataDir, error);
  }
}

/** Recorded in the copy before it replaces the database, so that every restore that takes effect is in the audit log. */
function noteRestore(
  part: string,
  { file, dataDir, by, now }: RestoreOptions,
  { keptName, ...contents }: DatabaseContents & { bytes: number; keptName: string },
): void {
  const isReplacing = existsSync(join(dataDir, "parley.db"));
  const known = { ...contents, ...(isReplacing && { replacedIsKeptAs: keptName }) };
  const fields = Object.entries(known).map(([field, after]) => ({ field, after }));
  noteInRestored(part, { kind: "database.restored", subject: file, bots: [], fields }, by, now);
}

function putInPlace(part: string, database: string, kept: string): string[] {
  const lock = lockAlone(database);
  try {
    const keptNames = keptFiles(database, kept);
    for (const step of replacementSteps(part, database, kept)) step();
    return keptNames;
  } catch (error) {
    const isInPlace = !existsSync(part);
    throw isInPlace ? unconfirmed("the restored database", error) : error;
  } finally {
    lock[Symbol.dispose]();
  }
}

/** Bytes of the file and its log. */
function sizeOfBackup(file: string): number {
  try {
    const details = statSync(file);
    if (!details.isFile()) throw new BackupInputError(`${file}: this is not a file`);
    return details.size + (statSync(`${file}-wal`, { throwIfNoEntry: false })?.size ?? 0);
  } catch (error) {
    if (error instanceof BackupInputError) throw error;
    throw new BackupInputError(`${file}: ${fileFault(error)}`, { cause: error });
  }
}

function refuseUnusableSource(file: string, database: string): void {
  if (isSameFile(file, database)) {
    throw new BackupInputError(`${file} is the very database that would be replaced`);
  }
  if (isServed(file)) {
    throw new BackupInputError(
      `a server is writing to ${file}; make a copy with \`parley backup\`, and restore that`,
    );
  }
}

function isSameFile(a: string, b: string): boolean {
  const other = statSync(b, { throwIfNoEntry: false });
  const { dev, ino } = statSync(a);
  return other !== undefined && other.dev === dev && other.ino === ino;
}

async function copyBackup(part: string, bytes: number, options: RestoreOptions): Promise<void> {
  const { file, onCopy, signal } = options;
  let copied = 0;
  for (const suffix of ["", ...CARRIED].filter((name) => existsSync(file + name))) {
    await copyFile(file + suffix, part + suffix, (length) => {
      signal?.throwIfAborted();
      copied += length;
      onCopy?.("copying", Math.min(1, copied / Math.max(1, bytes)));
    });
  }
}

const CHUNK_BYTES = 4 * 1024 * 1024;

async function copyFile(from: string, to: string, onBytes: (length: number) => void): Promise<void> {
  await using input = await openToRead(from);
  await using output = await open(to, "w", 0o600);
  const chunk = new Uint8Array(CHUNK_BYTES);
  for (;;) {
    const { bytesRead } = await input.read(chunk, 0, CHUNK_BYTES);
    if (bytesRead === 0) return;
    await output.writeFile(chunk.subarray(0, bytesRead));
    onBytes(bytesRead);
  }
}

async function openToRead(file: string): Promise<FileHandle> {
  try {
    return await open(file, "r");
  } catch (error) {
    throw new BackupInputError(`${file}: ${fileFault(error)}`, { cause: error });
  }
}
