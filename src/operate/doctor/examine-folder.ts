import { constants, existsSync, type Stats, statSync } from "node:fs";
import { join } from "node:path";

import { formatBytes } from "../../domain/bytes.ts";
import { restoreMarkerOf } from "../../store/sqlite/backup/unfinished-restore.ts";
import { isMarked } from "../../store/sqlite/marker.ts";
import { hasSqliteHeader } from "../../store/sqlite/sqlite-header.ts";
import { lookAtPath } from "../../store/sqlite/usable-folder.ts";
import { accessFault } from "../../store/sqlite/usable-folder.ts";
import { type Finding, findingsOf } from "./finding.ts";

const DATA_FOLDER = findingsOf("data-folder");

/** Names inside a data folder. */
export const FILES = { database: "parley.db", log: "parley.db-wal", lock: "parley.lock", backups: "backups" };

/** Checks the data folder without opening the database. Stops at the first problem. */
export function examineDataFolder(data: string): Finding {
  return findFolderFault(data) ?? findDatabaseFault(data) ?? findLockFault(data) ?? describeFolder(data);
}

function findFolderFault(data: string): Finding | undefined {
  const folder = lookAtPath(data);
  if (folder === undefined) {
    return DATA_FOLDER.mend(
      `there is not a folder ${data}`,
      "name the folder with --data, or make one with `parley seed`",
    );
  }
  if (!folder.isDirectory()) {
    return DATA_FOLDER.broken(`${data} is not a folder`, "choose another one with --data");
  }
  return findAccessFault(data, folder, constants.R_OK | constants.W_OK | constants.X_OK);
}

function findAccessFault(path: string, { uid }: Stats, mode: number): Finding | undefined {
  const refusal = accessFault(path, mode);
  if (refusal === undefined) return undefined;
  return DATA_FOLDER.broken(
    `${path} cannot be read and written by this user (${refusal})`,
    cureNoAccess(path, uid, process.getuid?.()),
  );
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
    return DATA_FOLDER.broken(`${path} is not a file`, "move it away, and `parley restore` a backup");
  }
  if (file.size > 0) return findAccessFault(path, file, constants.R_OK | constants.W_OK);
  return DATA_FOLDER.broken(
    `${path} is empty: whatever was in it is gone`,
    "stop the server, and `parley restore` a backup; what it replaces is kept",
  );
}

function restoreIsUnfinished(data: string): Finding {
  return DATA_FOLDER.broken(
    `a restore into ${data} was interrupted, and no server starts before it is complete`,
    "run `parley restore FILE` again, with the same file or another backup",
  );
}

function databaseIsMissing(data: string): Finding {
  const database = join(data, FILES.database);
  if (isMarked(database)) {
    return DATA_FOLDER.broken(
      `${data} held a database, and it is gone`,
      "put parley.db back with its -wal, or `parley restore` a backup; no server starts before",
    );
  }
  if (existsSync(join(data, FILES.log))) {
    return DATA_FOLDER.broken(
      `${data} holds the write-ahead log of a database that is gone`,
      "put parley.db back before a server starts: without it, a start begins an empty service",
    );
  }
  return DATA_FOLDER.mend(
    `there is no Parley database in ${data}`,
    "name the folder with --data, or make one with `parley seed`",
  );
}

/** A server locks this file, which is empty; SQLite does not open it. */
function findLockFault(data: string): Finding | undefined {
  const path = join(data, FILES.lock);
  const file = lookAtPath(path);
  if (file === undefined || (file.isFile() && (file.size === 0 || hasSqliteHeader(path)))) return undefined;
  return DATA_FOLDER.broken(
    `${path} is not the lock file that a server made`,
    "stop the server, and remove it",
  );
}

function describeFolder(data: string): Finding {
  const size = statSync(join(data, FILES.database)).size;
  return DATA_FOLDER.fine(`${data} holds a database of ${formatBytes(size)}`);
}

/** Whether it is a folder that this user can list. */
export function isReadableFolder(path: string): boolean {
  return (
    lookAtPath(path)?.isDirectory() === true &&
    accessFault(path, constants.R_OK | constants.X_OK) === undefined
  );
}
