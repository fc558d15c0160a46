import { closeSync, openSync, statSync, writeSync } from "node:fs";

import { fileFault } from "../domain/file-fault.ts";
import { UnusableDatabaseError } from "./migrate.ts";

/** Beside the database, by a name that whoever deletes `parley.db*` deletes along. */
const SUFFIX = ".marker";

const TEXT = `This folder holds a database of Parley. If it is missing or empty while this file is here, it was lost, and Parley
does not start an empty service in its place. To start anew on purpose, delete this file.
`;

/** No room, or no right, to write one more file. */
const CANNOT_WRITE = new Set(["ENOSPC", "EDQUOT", "EROFS", "EACCES", "EPERM"]);

/** Whether there was a database of this name. @throws UnusableDatabaseError where its folder cannot be looked at. */
export function isMarked(file: string): boolean {
  return sizeOf(file + SUFFIX) !== undefined;
}

/**
 * Refuses a database that is missing or empty where there was one.
 *
 * @throws UnusableDatabaseError
 */
export function refuseLostDatabase(file: string): void {
  const size = sizeOf(file);
  if (!isMarked(file) || (size !== undefined && size > 0)) return;
  const marker = file + SUFFIX;
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
    const descriptor = openSync(file + SUFFIX, "wx", 0o600);
    writeSync(descriptor, TEXT);
    closeSync(descriptor);
  } catch (error) {
    const { code = "" } = error as NodeJS.ErrnoException;
    if (code !== "EEXIST" && !CANNOT_WRITE.has(code)) throw error;
  }
}

function sizeOf(file: string): number | undefined {
  try {
    return statSync(file, { throwIfNoEntry: false })?.size;
  } catch (error) {
    throw new UnusableDatabaseError(`cannot use ${file}: ${fileFault(error)}`, { cause: error });
  }
}
