import {
  chownSync,
  closeSync,
  existsSync,
  fsyncSync,
  linkSync,
  openSync,
  renameSync,
  rmSync,
  statSync,
  statfsSync,
} from "node:fs";
import { dirname } from "node:path";

import { formatBytes } from "../../../domain/bytes.ts";
import { BackupError, unconfirmed } from "./errors.ts";

/** Files next to a database file that belong to it: SQLite applies a log or a journal to whatever file has its name. */
export const SIBLINGS = ["-wal", "-shm", "-journal"] as const;

/** Returns once a file's content, or a folder's list of names, is on disk. */
export function syncPath(path: string): void {
  const descriptor = openSync(path, "r");
  try {
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}

/** Removes a database file and the files that belong to it. */
export function removeDatabase(file: string): void {
  for (const suffix of ["", ...SIBLINGS]) rmSync(file + suffix, { force: true });
}

/** Errors of file systems without hard links. */
const NO_LINKS: ReadonlySet<string> = new Set(["EPERM", "ENOTSUP", "EOPNOTSUPP", "ENOSYS", "EMLINK"]);

/** Whether `error` means that the file system has no hard links. */
export function isWithoutLinks(error: unknown): boolean {
  return NO_LINKS.has((error as NodeJS.ErrnoException).code ?? "");
}

/**
 * Gives a complete file its final name. Without `replace`, an existing file of that name stays, even one created meanwhile.
 *
 * @returns false if another file has the name.
 */
export function giveName(part: string, file: string, { replace }: { replace: boolean }): boolean {
  if (replace) {
    renameSync(part, file);
    return true;
  }
  try {
    linkSync(part, file);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "EEXIST") return false;
    if (!isWithoutLinks(error)) throw error;
    if (existsSync(file)) return false;
    renameSync(part, file);
    return true;
  }
  rmSync(part);
  return true;
}

/**
 * Gives a complete file its final name once it is on disk, and syncs the folder, so that the name is durable too.
 *
 * @returns false if another file has the name.
 * @throws BackupError if the file has the name, but the disk did not confirm it.
 */
export function giveDurableName(part: string, file: string, options: { replace: boolean }): boolean {
  syncPath(part);
  if (!giveName(part, file, options)) return false;
  try {
    syncPath(dirname(file));
    return true;
  } catch (error) {
    throw unconfirmed(file, error);
  }
}

/** Gives a file the owner of `folder`: a command run by root would otherwise create files that the server's user cannot use. */
export function ownLike(folder: string, path: string): void {
  if (process.getuid?.() !== 0) return;
  const { uid, gid } = statSync(folder);
  chownSync(path, uid, gid);
}

/** Space that stays free in addition to a copy, so that a server on the same disk can write while an operator makes room. Chosen by hand. */
const SPARE_BYTES = 64 * 1024 * 1024;

/** @throws BackupError if a copy of so many bytes would fill the disk of `folder`. */
export function assertRoom(folder: string, bytes: number): void {
  const { bavail, bsize } = statfsSync(folder);
  const freeBytes = bavail * bsize;
  if (freeBytes >= bytes + SPARE_BYTES) return;
  throw new BackupError(
    `not enough room in ${folder}: the copy takes ${formatBytes(bytes)}, and ${formatBytes(SPARE_BYTES)} should stay free; ` +
      `${formatBytes(freeBytes)} are`,
  );
}
