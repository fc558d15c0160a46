import { statfsSync } from "node:fs";
import { join } from "node:path";

import { formatBytes } from "../../domain/bytes.ts";
import {
  describeNetworkFileSystem,
  NETWORK_FILE_SYSTEM_CURE,
} from "../../store/sqlite/network-file-system.ts";
import { lookAtPath } from "../../store/sqlite/usable-folder.ts";
import { FILES } from "./examine-folder.ts";
import { type Finding, findingsOf } from "./finding.ts";

const DISK_SPACE = findingsOf("disk-space");
const FILE_SYSTEM = findingsOf("file-system");
const WRITE_AHEAD_LOG = findingsOf("write-ahead-log");

/** Below this, the write-ahead log (4 MB, more under load) and SQLite's temporary files may not fit. */
const BROKEN_BYTES = 32 * 1024 * 1024;
/** Enough for a month at a million messages (about 0.5 kB each). */
const MEND_BYTES = 512 * 1024 * 1024;

export interface DiskSpace {
  freeBytes: number;
  /** Files that can still be created; 0, with `files` 0, on file systems without such a limit. */
  freeFiles: number;
  files: number;
  databaseBytes: number;
}

/** Checks the free space of the data folder's disk. */
export function examineDiskSpace(data: string): Finding {
  const { bavail, bsize, ffree, files } = statfsSync(data);
  const databaseBytes = lookAtPath(join(data, FILES.database))?.size ?? 0;
  return judgeDiskSpace({ freeBytes: bavail * bsize, freeFiles: ffree, files, databaseBytes });
}

/** An upgrade and a backup each copy the database, so there must be space for a copy. Pure. */
export function judgeDiskSpace({ freeBytes, freeFiles, files, databaseBytes }: DiskSpace): Finding {
  const free = `${formatBytes(freeBytes)} free`;
  const cure = "make room, or move the data folder to a larger disk while the server is stopped";
  if (freeBytes < BROKEN_BYTES) {
    const message = `${free}: messages are refused as soon as nothing is left`;
    return DISK_SPACE.broken(message, cure);
  }
  if (files > 0 && freeFiles === 0) {
    const message = "the file system takes no more files, though bytes are free";
    return DISK_SPACE.broken(message, "remove files that nobody needs");
  }
  if (freeBytes < Math.max(MEND_BYTES, databaseBytes)) {
    const message =
      freeBytes < databaseBytes
        ? `${free}, and the database has ${formatBytes(databaseBytes)}: there is no room for a backup or the copy of an upgrade`
        : `${free}, of ${formatBytes(MEND_BYTES)} that should be: backups and the copy of an upgrade are refused before the disk is full`;
    return DISK_SPACE.mend(message, cure);
  }
  return DISK_SPACE.fine(free);
}

/** @param network type of the network file system below the data folder, if any. Pure. */
export function judgeFileSystem(data: string, network: string | undefined): Finding {
  if (network === undefined) return FILE_SYSTEM.fine("no known network file system");
  const message = describeNetworkFileSystem(data, network);
  return FILE_SYSTEM.mend(message, NETWORK_FILE_SYSTEM_CURE);
}

/** SQLite checkpoints the log at 4 MB (1,000 pages); the file keeps its largest size. */
const LOG_HINT_BYTES = 64 * 1024 * 1024;
const LOG_MEND_BYTES = 1024 * 1024 * 1024;

/** A large log means that something prevents checkpoints. Pure. */
export function judgeWriteAheadLog(bytes: number): Finding {
  const message = `the write-ahead log has ${formatBytes(bytes)}`;
  if (bytes <= LOG_HINT_BYTES) return WRITE_AHEAD_LOG.fine(message);
  return WRITE_AHEAD_LOG[bytes > LOG_MEND_BYTES ? "mend" : "hint"](
    `${message}: something reads the database for long, or much was deleted at once`,
    "end long reads of the database by other programs; a restart of the server writes the log back",
  );
}
