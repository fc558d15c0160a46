import { accessSync, closeSync, constants, mkdirSync, openSync, type Stats, statSync } from "node:fs";
import { dirname } from "node:path";

import { fileFault } from "../../domain/file-fault.ts";
import { UnusableDatabaseError } from "../unusable-database.ts";

/** What a look at a path fails with that leads nowhere, or through a folder that is shut. */
const UNKNOWABLE = new Set(["ENOTDIR", "EACCES", "ELOOP"]);

/** What stands at a path; undefined where nothing does, or this user may not know. */
export function lookAtPath(path: string): Stats | undefined {
  try {
    return statSync(path, { throwIfNoEntry: false });
  } catch (error) {
    if (UNKNOWABLE.has((error as NodeJS.ErrnoException).code ?? "")) return undefined;
    throw error;
  }
}

/** The same. @throws UnusableDatabaseError where it cannot be looked at, as on a disk that fails. */
export function lookOrRefuse(path: string): Stats | undefined {
  try {
    return lookAtPath(path);
  } catch (error) {
    throw new UnusableDatabaseError(`cannot use ${path}: ${fileFault(error)}`, { cause: error });
  }
}

/**
 * Refuses a database whose folder or file is of the wrong kind, or shut to this user. What is not there is no fault.
 *
 * @throws UnusableDatabaseError with a line that says what to do.
 */
export function refuseUnusableFolder(database: string): void {
  const folder = dirname(database);
  const found = lookOrRefuse(folder);
  if (!found) return refuseShutWay(folder);
  if (!found.isDirectory())
    throw new UnusableDatabaseError(`${folder} is no folder; name another one with --data`);
  refuseShut(folder, found, constants.R_OK | constants.X_OK);
  const file = lookAtPath(database);
  if (!file) return;
  if (!file.isFile()) {
    throw new UnusableDatabaseError(
      `${database} is no file; move it away, and restore a backup with \`parley restore\``,
    );
  }
  refuseShut(database, file, constants.R_OK);
}

/** A folder that cannot be seen may lie behind a file, or behind a folder that is shut. */
function refuseShutWay(folder: string): void {
  const code = accessFault(folder, constants.F_OK);
  if (code === "ENOTDIR")
    throw new UnusableDatabaseError(`a part of ${folder} is no folder; name another one with --data`);
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

/** What opens a path of that owner to this user. */
export function accessCure(path: string, owner: number, user = process.getuid?.()): string {
  if (owner === user) return `its owner has no right to it: chmod u+rwX ${path}`;
  return `run this command as the user that owns it (uid ${owner}), or give it to this user with chown`;
}

/** The code of what stands against that use of a path by this user, such as EACCES or EROFS; undefined where nothing does. */
export function accessFault(path: string, mode: number): string | undefined {
  try {
    accessSync(path, mode);
    return undefined;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code;
  }
}

/**
 * Makes an empty file where there is none, with its folder, for their owner alone, as visitors' messages are nobody else's business; SQLite
 * gives its other files the same mode. A file that is there is not opened: to close it would take away the locks that another connection
 * of this process holds on it.
 */
export function createPrivately(file: string): void {
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  try {
    closeSync(openSync(file, "wx", 0o600));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
  }
}
