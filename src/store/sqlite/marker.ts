import { writeFileSync } from "node:fs";
import { dirname, join } from "node:path";

import { UnusableDatabaseError } from "../unusable-database.ts";
import { ownLike } from "./backup/durable-files.ts";
import { lookOrRefuse, refuseUnusableFolder } from "./usable-folder.ts";

const TEXT = `This folder holds a database of Parley. If it is missing or empty while this file is here, it was lost, and Parley
does not start an empty service in its place. To start anew on purpose, delete this file.
`;

/** Harmless errors: the marker exists, or there is no room, or no permission, for one more file. */
const HARMLESS = new Set(["EEXIST", "ENOSPC", "EDQUOT", "EROFS", "EACCES", "EPERM"]);

/** Beside the database, by a name that `parley.db*` matches, so that deleting the database by pattern deletes it too. */
function markerOf(file: string): string {
  return `${file}.marker`;
}

/** Whether there was a database of this name. @throws UnusableDatabaseError if its folder cannot be checked. */
export function isMarked(file: string): boolean {
  return lookOrRefuse(markerOf(file)) !== undefined;
}

/** Whether there is a database to open; an empty file is none. */
export function holdsDatabase(file: string): boolean {
  return (lookOrRefuse(file)?.size ?? 0) > 0;
}

/**
 * Refuses to create a database in a data folder without one, which may be an unmounted disk's folder.
 *
 * @throws UnusableDatabaseError
 */
export function refuseNewDatabase(dataDir: string): void {
  const file = join(dataDir, "parley.db");
  refuseUnusableFolder(file);
  if (holdsDatabase(file)) return;
  throw new UnusableDatabaseError(
    `there is no database in ${dataDir}, and --must-exist forbids making one; mount the disk that holds it, or make one with \`parley seed\``,
  );
}

/** The warning for an operator who may have meant another folder, or forgotten to mount its disk. */
export function newDatabaseWarning(dataDir: string): string {
  return `made a new, empty database in ${dataDir}, without bots and embed tokens; if one was there, look whether its disk is mounted, and start with --must-exist`;
}

/**
 * Refuses a database that is missing or empty although there was one.
 *
 * @throws UnusableDatabaseError
 */
export function refuseLostDatabase(file: string): void {
  if (!isMarked(file) || holdsDatabase(file)) return;
  const marker = markerOf(file);
  throw new UnusableDatabaseError(
    `${file} is ${lookOrRefuse(file) ? "empty" : "missing"}, and ${marker} says that it held a service; put the file back or restore a backup, or delete ${marker} to start with nothing`,
  );
}

/**
 * Marks that the database exists. If the marker cannot be written, the database still serves, and the next process that opens it tries
 * again.
 */
export function markDatabase(file: string): void {
  try {
    writeFileSync(markerOf(file), TEXT, { flag: "wx", mode: 0o600 });
  } catch (error) {
    if (!HARMLESS.has((error as NodeJS.ErrnoException).code ?? "")) throw error;
  }
}

/** The same for a database that a command, perhaps run by root, has created: the marker gets the folder's owner. */
export function markForOwner(file: string): void {
  markDatabase(file);
  if (isMarked(file)) ownLike(dirname(file), markerOf(file));
}
