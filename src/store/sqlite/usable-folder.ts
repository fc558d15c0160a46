import { accessSync, closeSync, constants, mkdirSync, openSync, type Stats, statSync } from "node:fs";
import { dirname } from "node:path";

import { fileFault } from "../../domain/file-fault.ts";
import { UnusableDatabaseError } from "../unusable-database.ts";

/** Errors of looking at a path that leads nowhere, or through a folder without permission. */
const UNKNOWABLE = new Set(["ENOTDIR", "EACCES", "ELOOP"]);

/** The file or folder at a path; undefined if there is none, or this user may not see it. */
export function lookAtPath(path: string): Stats | undefined {
  try {
    return statSync(path, { throwIfNoEntry: false });
  } catch (error) {
    if (UNKNOWABLE.has((error as NodeJS.ErrnoException).code ?? "")) return undefined;
    throw error;
  }
}

/** The same. @throws UnusableDatabaseError if it cannot be checked, as on a failing disk. */
export function lookOrRefuse(path: string): Stats | undefined {
  try {
    return lookAtPath(path);
  } catch (error) {
    throw new UnusableDatabaseError(`cannot use ${path}: ${fileFault(error)}`, { cause: error });
  }
}

/**
 * Refuses a database whose folder or file is of the wrong kind, or not accessible to this user. A missing one is accepted.
 *
 * @throws UnusableDatabaseError with the remedy in its message.
 */
export function refuseUnusableFolder(database: string): void {
  const folder = dirname(database);
  const found = lookOrRefuse(folder);
  if (!found) return refuseShutWay(folder);
  if (!found.isDirectory())
    throw new UnusableDatabaseError(`${folder} is not a folder; choose another one with --data`);
  refuseShut(folder, found, constants.R_OK | constants.X_OK);
  const file = lookAtPath(database);
  if (!file) return;
  if (!file.isFile()) {
    throw new UnusableDatabaseError(
      `${database} is not a file; move it away, and restore a backup with \`parley restore\``,
    );
  }
  refuseShut(database, file, constants.R_OK);
}

/** A folder that cannot be seen may lie below a file, or below a folder without permission. */
function refuseShutWay(folder: string): void {
  const code = accessFault(folder, constants.F_OK);
  if (code === "ENOTDIR")
    throw new UnusableDatabaseError(`a part of ${folder} is not a folder; choose another one with --data`);
  if (code !== "EACCES") return;
  throw new UnusableDatabaseError(
    `this user may not look into what ${folder} lies in; run this command as the user that owns it`,
  );
}

function refuseShut(path: string, { uid }: Stats, mode: number): void {
  const code = accessFault(path, mode);
  if (code === undefined) return;
  throw new UnusableDatabaseError(`${path} cannot be read by this user (${code}); ${accessCure(path, uid)}`);
}

/** How to make a path of that owner accessible to this user. */
export function accessCure(path: string, owner: number, user = process.getuid?.()): string {
  if (owner === user) return `its owner has no right to it: chmod u+rwX ${path}`;
  return `run this command as the user that owns it (uid ${owner}), or give it to this user with chown`;
}

/** The error code that prevents this user's access to a path, such as EACCES or EROFS; undefined if nothing does. */
export function accessFault(path: string, mode: number): string | undefined {
  try {
    accessSync(path, mode);
    return undefined;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code;
  }
}

/**
 * Creates an empty file with its folder if it is missing, readable for the owner only, because it will hold visitors' messages; SQLite gives
 * its other files the same mode. An existing file is not opened: closing it would release the locks that another connection of this process
 * holds on it.
 */
export function createPrivately(file: string): void {
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  try {
    closeSync(openSync(file, "wx", 0o600));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
  }
}
