import { accessSync, constants, type Stats } from "node:fs";
import { dirname } from "node:path";

import { fileFault } from "../../domain/file-fault.ts";
import { UnusableDatabaseError } from "../unusable-database.ts";
import { lookAtPath } from "./look-at-path.ts";

/**
 * Refuses a database whose folder or file is of the wrong kind, or shut to this user. What is not there is no fault.
 *
 * @throws UnusableDatabaseError with a line that says what to do.
 */
export function refuseUnusableFolder(database: string): void {
  const folder = dirname(database);
  const found = lookOrRefuse(folder);
  if (found && !found.isDirectory()) {
    throw new UnusableDatabaseError(`${folder} is no folder; name another one with --data`);
  }
  if (!found) return refuseShutWay(folder);
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

function lookOrRefuse(folder: string): Stats | undefined {
  try {
    return lookAtPath(folder);
  } catch (error) {
    throw new UnusableDatabaseError(`cannot use ${folder}: ${fileFault(error)}`, { cause: error });
  }
}

/** A folder that cannot be seen may lie behind a file, or behind a folder that is shut. */
function refuseShutWay(folder: string): void {
  const code = accessFault(folder, constants.F_OK);
  if (code === "ENOTDIR") {
    throw new UnusableDatabaseError(`a part of ${folder} is no folder; name another one with --data`);
  }
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
