import { closeSync, openSync, writeSync } from "node:fs";
import { join } from "node:path";

import { fileFault } from "../../domain/file-fault.ts";
import { UnusableDatabaseError } from "../unusable-database.ts";
import { lookAtPath } from "./look-at-path.ts";
import { refuseUnusableFolder } from "./usable-folder.ts";

/** Beside the database, by a name that whoever deletes `parley.db*` deletes along. */
const SUFFIX = ".marker";

const TEXT = `This folder holds a database of Parley. If it is missing or empty while this file is here, it was lost, and Parley
does not start an empty service in its place. To start anew on purpose, delete this file.
`;

/** No room, or no right, to write one more file. */
const CANNOT_WRITE = new Set(["ENOSPC", "EDQUOT", "EROFS", "EACCES", "EPERM"]);

/** The mark's own name. */
export function markerOf(file: string): string {
  return file + SUFFIX;
}

/** Whether there was a database of this name. @throws UnusableDatabaseError where its folder cannot be looked at. */
export function isMarked(file: string): boolean {
  return sizeOf(markerOf(file)) !== undefined;
}

/** Whether there is a database to open; an empty file is none. */
export function holdsDatabase(file: string): boolean {
  return (sizeOf(file) ?? 0) > 0;
}

/**
 * Refuses to make a database in a data folder that has none, as where its disk is not mounted.
 *
 * @throws UnusableDatabaseError
 */
export function refuseNewDatabase(dataDir: string): void {
  const file = join(dataDir, "parley.db");
  refuseUnusableFolder(file);
  if (holdsDatabase(file)) return;
  throw new UnusableDatabaseError(
    `there is no database in ${dataDir}, and --must-exist forbids to make one; mount the disk that holds it, or make one with \`parley seed\``,
  );
}

/** What an operator is told who may have meant another folder, or the same one with its disk. */
export function newDatabaseWarning(dataDir: string): string {
  return `made a new, empty database in ${dataDir}, without bots and embed tokens; if one was there, look whether its disk is mounted, and start with --must-exist`;
}

/**
 * Refuses a database that is missing or empty where there was one.
 *
 * @throws UnusableDatabaseError
 */
export function refuseLostDatabase(file: string): void {
  const size = sizeOf(file);
  if (!isMarked(file) || (size !== undefined && size > 0)) return;
  const marker = markerOf(file);
  throw new UnusableDatabaseError(
    `${file} is ${size === undefined ? "missing" : "empty"}, and ${marker} says that it held a service; put the file back or restore a backup, or delete ${marker} to start with nothing`,
  );
}

/**
 * Leaves a mark that the database exists. Where it cannot be written, the database still serves, and the next process to open it
 * tries again.
 */
export function markDatabase(file: string): void {
  try {
    const descriptor = openSync(markerOf(file), "wx", 0o600);
    writeSync(descriptor, TEXT);
    closeSync(descriptor);
  } catch (error) {
    const { code = "" } = error as NodeJS.ErrnoException;
    if (code !== "EEXIST" && !CANNOT_WRITE.has(code)) throw error;
  }
}

function sizeOf(file: string): number | undefined {
  try {
    return lookAtPath(file)?.size;
  } catch (error) {
    throw new UnusableDatabaseError(`cannot use ${file}: ${fileFault(error)}`, { cause: error });
  }
}
