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
 * Makes a database one plain file without a log next to it, and locks every other process out. A file that is not a database any more stays
 * unchanged: SQLite would write its log into it.
 *
 * @returns the lock, to be disposed of.
 * @throws BackupError if another process has it open.
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
 * The steps that replace a database by `part` and keep the old one as `kept`. A process that dies between two steps leaves the old
 * database or the new one. One case has a gap in between: a damaged database with a log that could not be written into it. A marker then
 * makes the next start refuse.
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
    // The old database's log is removed first: SQLite would apply it to the new database.
    ...(siblings.length > 0 ? takeLogAway : []),
    () => renameSync(part, database),
    () => syncPath(folder),
    () => rmSync(restoreMarkerOf(database), { force: true }),
    () => syncPath(folder),
  ];
}

/** The names of the files that `replacementSteps` keeps. */
export function keptFiles(database: string, kept: string): string[] {
  return ["", ...SIBLINGS].filter((suffix) => existsSync(database + suffix)).map((suffix) => kept + suffix);
}

/** A hard link, so that the first name never disappears; a copy if the file system has no hard links. */
function keepUnder(file: string, kept: string): void {
  try {
    linkSync(file, kept);
  } catch (error) {
    if (!isWithoutLinks(error)) throw error;
    copyFileSync(file, kept, constants.COPYFILE_EXCL);
    syncPath(kept);
  }
}
