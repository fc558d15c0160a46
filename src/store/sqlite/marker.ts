import { writeFileSync } from "node:fs";
import { dirname, join } from "node:path";

import { UnusableDatabaseError } from "../unusable-database.ts";
import { ownLike } from "./backup/durable-files.ts";
import { lookOrRefuse, refuseUnusableFolder } from "./usable-folder.ts";

const TEXT = `This folder holds a database of Parley. If it is missing or empty while this file is here, it was lost, and Parley
does not start an empty service in its place. To start anew on purpose, delete this file.
`;

/** It is there; or there is no room, or no right, to write one more file. */
const HARMLESS = new Set(["EEXIST", "ENOSPC", "EDQUOT", "EROFS", "EACCES", "EPERM"]);

/** Beside the database, by a name that whoever deletes `parley.db*` deletes along. */
function markerOf(file: string): string {
  return `${file}.marker`;
}

/** Whether there was a database of this name. @throws UnusableDatabaseError where its folder cannot be looked at. */
export function isMarked(file: string): boolean {
  return lookOrRefuse(markerOf(file)) !== undefined;
}

/** Whether there is a database to open; an empty file is none. */
export function holdsDatabase(file: string): boolean {
  return (lookOrRefuse(file)?.size ?? 0) > 0;
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
  if (!isMarked(file) || holdsDatabase(file)) return;
  const marker = markerOf(file);
  throw new UnusableDatabaseError(
    `${file} is ${lookOrRefuse(file) ? "empty" : "missing"}, and ${marker} says that it held a service; put the file back or restore a backup, or delete ${marker} to start with nothing`,
  );
}

/**
 * Leaves a mark that the database exists. Where it cannot be written, the database still serves, and the next process to open it
 * tries again.
 */
export function markDatabase(file: string): void {
  try {
    writeFileSync(markerOf(file), TEXT, { flag: "wx", mode: 0o600 });
  } catch (error) {
    if (!HARMLESS.has((error as NodeJS.ErrnoException).code ?? "")) throw error;
  }
}

/** The same of a database that a command has put there, which root may run: the mark gets the folder's owner, whoever made it. */
export function markForOwner(file: string): void {
  markDatabase(file);
  if (isMarked(file)) ownLike(dirname(file), markerOf(file));
}
