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

/** What may stand beside a database file and belongs to it: SQLite applies a log or a journal to whatever file has its name. */
export const SIBLINGS = ["-wal", "-shm", "-journal"] as const;

/** Resolves when a file's content, or a folder's list of names, is on disk. */
export function syncPath(path: string): void {
  const descriptor = openSync(path, "r");
  try {
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}

/** Removes a database file with what belongs to it. */
export function removeDatabase(file: string): void {
  for (const suffix of ["", ...SIBLINGS]) rmSync(file + suffix, { force: true });
}

/** File systems that know no hard links say one of these. */
const NO_LINKS: ReadonlySet<string> = new Set(["EPERM", "ENOTSUP", "EOPNOTSUPP", "ENOSYS", "EMLINK"]);

/** Whether `error` says that the file system makes no hard links. */
export function isWithoutLinks(error: unknown): boolean {
  return NO_LINKS.has((error as NodeJS.ErrnoException).code ?? "");
}

/**
 * Gives a whole file its final name. Without `replace` a file of that name stays, whoever made it meanwhile.
 *
 * @returns whether the file has the name; false where there is another.
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
 * Gives a whole file its final name when it is on disk, and sees that the name is as well.
 *
 * @returns false where there is another of that name.
 * @throws BackupError where it has the name, and the disk did not confirm that.
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

/** A command that root runs makes files that the server's user can use: they get the owner of `folder`. */
export function ownLike(folder: string, path: string): void {
  if (process.getuid?.() !== 0) return;
  const { uid, gid } = statSync(folder);
  chownSync(path, uid, gid);
}

/** Stays free beside a copy, so that a server on the same disk can go on writing while an operator makes room. */
const SPARE_BYTES = 64 * 1024 * 1024;

/** @throws BackupError when a copy of so many bytes would fill the disk of `folder`. */
export function assertRoom(folder: string, bytes: number): void {
  const { bavail, bsize } = statfsSync(folder);
  const freeBytes = bavail * bsize;
  if (freeBytes >= bytes + SPARE_BYTES) return;
  throw new BackupError(
    `not enough room in ${folder}: the copy takes ${formatBytes(bytes)}, and ${formatBytes(SPARE_BYTES)} should stay free; ` +
      `${formatBytes(freeBytes)} are`,
  );
}
