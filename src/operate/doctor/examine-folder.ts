import { constants, existsSync, type Stats, statSync } from "node:fs";
import { join } from "node:path";

import { formatBytes } from "../../domain/bytes.ts";
import { restoreMarkerOf } from "../../store/sqlite/backup/unfinished-restore.ts";
import { isMarked } from "../../store/sqlite/marker.ts";
import { hasSqliteHeader } from "../../store/sqlite/sqlite-header.ts";
import { lookAtPath } from "../../store/sqlite/usable-folder.ts";
import { accessFault } from "../../store/sqlite/usable-folder.ts";
import { type Finding, fine } from "./finding.ts";

/** Names inside a data folder. */
export const FILES = { database: "parley.db", log: "parley.db-wal", lock: "parley.lock", backups: "backups" };

/** Checks the data folder without opening the database. Stops at the first problem. */
export function examineDataFolder(data: string): Finding {
  return findFolderFault(data) ?? findDatabaseFault(data) ?? findLockFault(data) ?? describeFolder(data);
}

function findFolderFault(data: string): Finding | undefined {
  const folder = lookAtPath(data);
  if (folder === undefined) {
    return {
      check: "data-folder",
      severity: "mend",
      message: `there is no folder ${data}`,
      cure: "name the folder with --data, or make one with `parley seed`",
    };
  }
  if (!folder.isDirectory()) {
    return {
      check: "data-folder",
      severity: "broken",
      message: `${data} is no folder`,
      cure: "name another one with --data",
    };
  }
  return findAccessFault(data, folder, constants.R_OK | constants.W_OK | constants.X_OK);
}

function findAccessFault(path: string, { uid }: Stats, mode: number): Finding | undefined {
  const refusal = accessFault(path, mode);
  if (refusal === undefined) return undefined;
  return {
    check: "data-folder",
    severity: "broken",
    message: `${path} cannot be read and written by this user (${refusal})`,
    cure: cureNoAccess(path, uid, process.getuid?.()),
  };
}

/** The command that gives the current user access to a path owned by `owner`. Pure. */
export function cureNoAccess(path: string, owner: number, self: number | undefined): string {
  if (owner === self)
    return `it is this user's own: \`chmod u+rwX ${path}\`; on a disk that is mounted read-only, remount it`;
  return `run Parley and this command as the user that owns it (uid ${owner}), or give it to this user with chown`;
}

function findDatabaseFault(data: string): Finding | undefined {
  const path = join(data, FILES.database);
  if (existsSync(restoreMarkerOf(path))) return restoreIsUnfinished(data);
  const file = lookAtPath(path);
  if (file === undefined) return databaseIsMissing(data);
  if (!file.isFile()) {
    return {
      check: "data-folder",
      severity: "broken",
      message: `${path} is no file`,
      cure: "move it away, and `parley restore` a backup",
    };
  }
  if (file.size > 0) return findAccessFault(path, file, constants.R_OK | constants.W_OK);
  return {
    check: "data-folder",
    severity: "broken",
    message: `${path} is empty: whatever was in it is gone`,
    cure: "stop the server, and `parley restore` a backup; what it replaces is kept",
  };
}

function restoreIsUnfinished(data: string): Finding {
  return {
    check: "data-folder",
    severity: "broken",
    message: `a restore into ${data} was interrupted, and no server starts before it is complete`,
    cure: "run `parley restore FILE` again, with the same file or another backup",
  };
}

function databaseIsMissing(data: string): Finding {
  const database = join(data, FILES.database);
  if (isMarked(database)) {
    return {
      check: "data-folder",
      severity: "broken",
      message: `${data} held a database, and it is gone`,
      cure: "put parley.db back with its -wal, or `parley restore` a backup; no server starts before",
    };
  }
  if (existsSync(join(data, FILES.log))) {
    return {
      check: "data-folder",
      severity: "broken",
      message: `${data} holds the write-ahead log of a database that is gone`,
      cure: "put parley.db back before a server starts: without it, a start begins an empty service",
    };
  }
  return {
    check: "data-folder",
    severity: "mend",
    message: `there is no Parley database in ${data}`,
    cure: "name the folder with --data, or make one with `parley seed`",
  };
}

/** A server locks this file, which is empty; SQLite does not open it. */
function findLockFault(data: string): Finding | undefined {
  const path = join(data, FILES.lock);
  const file = lookAtPath(path);
  if (file === undefined || (file.isFile() && (file.size === 0 || hasSqliteHeader(path)))) return undefined;
  return {
    check: "data-folder",
    severity: "broken",
    message: `${path} is not the lock file that a server made`,
    cure: "stop the server, and remove it",
  };
}

function describeFolder(data: string): Finding {
  const size = statSync(join(data, FILES.database)).size;
  return fine("data-folder", `${data} holds a database of ${formatBytes(size)}`);
}

/** Whether it is a folder that this user can list. */
export function isReadableFolder(path: string): boolean {
  return (
    lookAtPath(path)?.isDirectory() === true &&
    accessFault(path, constants.R_OK | constants.X_OK) === undefined
  );
}
