import { constants, copyFileSync, existsSync, linkSync, renameSync, rmSync } from "node:fs";
import { dirname } from "node:path";

import { Sqlite } from "../driver.ts";
import { sqliteCode } from "../failure.ts";
import { hasSqliteHeader } from "../sqlite-header.ts";
import { damageReason } from "./check-database.ts";
import { SIBLINGS, isWithoutLinks, syncPath } from "./durable-files.ts";
import { BackupError } from "./errors.ts";
import { restoreMarkerOf, writeRestoreMarker } from "./unfinished-restore.ts";

/**
 * Makes a database one plain file without a log beside it, and keeps every other process from it. One that is no database any more
 * stays as it is: SQLite would write its log into it.
 *
 * @returns what keeps the others away, until it is disposed of.
 * @throws BackupError when another process has it open.
 */
export function lockAlone(database: string): Disposable {
  const nothing = { [Symbol.dispose]: () => {} };
  if (!existsSync(database) || !hasSqliteHeader(database)) return nothing;
  const db = new Sqlite(database, { fileMustExist: true, timeout: 0 });
  try {
    db.pragma("journal_mode = DELETE");
    db.exec("BEGIN EXCLUSIVE");
    return { [Symbol.dispose]: () => void db.close() };
  } catch (error) {
    db.close();
    if (damageReason(error) !== undefined) return nothing;
    if (!sqliteCode(error)?.startsWith("SQLITE_BUSY")) throw error;
    throw new BackupError(
      `another process has ${database} open; stop the server, and whatever else uses it, and try again`,
    );
  }
}

/**
 * The steps that put `part` in the place of a database and keep that one under the name `kept`. A process that ends between two steps
 * leaves the old database or the new one. Only where a damaged one has a log that could not be written into it, there is a time
 * between; a marker tells the next start.
 */
export function replacementSteps(part: string, database: string, kept: string): (() => void)[] {
  const folder = dirname(database);
  const parts = ["", ...SIBLINGS].filter((suffix) => existsSync(database + suffix));
  const siblings = parts.filter((suffix) => suffix !== "");
  const keep = parts.map((suffix) => () => keepUnder(database + suffix, kept + suffix));
  const takeLogAway = [
    () => writeRestoreMarker(database, kept),
    () => syncPath(folder),
    ...siblings.map((suffix) => () => rmSync(database + suffix)),
    () => syncPath(folder),
  ];
  return [
    ...keep,
    () => syncPath(folder),
    // SQLite would apply the log of the old database to the new one: it goes before that comes.
    ...(siblings.length > 0 ? takeLogAway : []),
    () => renameSync(part, database),
    () => syncPath(folder),
    () => rmSync(restoreMarkerOf(database), { force: true }),
    () => syncPath(folder),
  ];
}

/** The names of what `replacementSteps` keeps. */
export function keptFiles(database: string, kept: string): string[] {
  return ["", ...SIBLINGS].filter((suffix) => existsSync(database + suffix)).map((suffix) => kept + suffix);
}

/** A second name, so that the first never points to nothing; a copy where the file system has no such names. */
function keepUnder(file: string, kept: string): void {
  try {
    linkSync(file, kept);
  } catch (error) {
    if (!isWithoutLinks(error)) throw error;
    copyFileSync(file, kept, constants.COPYFILE_EXCL);
    syncPath(kept);
  }
}
