import { constants, readdirSync } from "node:fs";
import { join } from "node:path";

import type { Config } from "../../config/config.ts";
import type { BackupRow } from "../../domain/operator/server.ts";
import type { EpochMs } from "../../domain/time.ts";
import { hasSqliteHeader } from "../../store/sqlite/sqlite-header.ts";
import { lookAtPath } from "../../store/sqlite/usable-folder.ts";
import { accessFault } from "../../store/sqlite/usable-folder.ts";
import { FILES, isReadableFolder } from "./examine-folder.ts";
import { type Finding, formatSpan, findingsOf } from "./finding.ts";

const BACKUPS = findingsOf("backups");

/** Backups are assumed to be made daily; one missed backup is noticed after two days. */
const OLD_MS = 48 * 60 * 60 * 1000;

/** Complete backups have this ending; unfinished ones have another. */
const WHOLE = /\.db$/;

/** Checks the latest backup. Without a folder and without scheduled backups, there is nothing to check: backups may be kept elsewhere. */
export function examineBackups(
  { data, backupEvery }: Pick<Config, "data" | "backupEvery">,
  now: EpochMs,
): Finding[] {
  const folder = join(data, FILES.backups);
  if (!isReadableFolder(folder)) {
    return [
      backupEvery === undefined
        ? noneHere(folder)
        : judgeBackups(folder, { latestAt: undefined, folderMadeAt: 0, now, backupEvery }),
    ];
  }
  const made = readdirSync(folder).flatMap((name) => madeAt(join(folder, name)));
  const latestAt = made.length === 0 ? undefined : Math.max(...made);
  const status = lookAtPath(folder);
  // Where a file system keeps no time of birth, it is 0.
  const folderMadeAt = status?.birthtimeMs || (status?.mtimeMs ?? 0);
  return [judgeBackups(folder, { latestAt, folderMadeAt, now, backupEvery })];
}

function noneHere(folder: string): Finding {
  return BACKUPS.hint(
    `there is no backup in ${folder}`,
    "have a server make them with `--backup-every`, unless some are kept elsewhere",
  );
}

/** When a backup was made; empty if the file is not a complete database. */
function madeAt(path: string): EpochMs[] {
  const file = lookAtPath(path);
  return file?.isFile() && WHOLE.test(path) && isDatabase(path) ? [file.mtimeMs] : [];
}

/** A file that this user cannot read is judged by its name. */
function isDatabase(path: string): boolean {
  return accessFault(path, constants.R_OK) !== undefined || hasSqliteHeader(path);
}

interface BackupTimes {
  latestAt: EpochMs | undefined;
  /** When the folder of backups was made, which a server does for its first backup. */
  folderMadeAt: EpochMs;
  now: EpochMs;
  /** Value of `--backup-every`; undefined without scheduled backups. */
  backupEvery: number | undefined;
}

/** The latest backup may be two intervals old; the first one may be under way. Pure. */
export function judgeBackups(
  folder: string,
  { latestAt, folderMadeAt, now, backupEvery }: BackupTimes,
): Finding {
  const cure =
    "see whether the server still makes them, and whether the disk has room; `parley backup` makes one now";
  const longest = backupEvery === undefined ? OLD_MS : 2 * backupEvery;
  if (latestAt === undefined) {
    const severity = now - folderMadeAt > longest ? "mend" : "hint";
    return BACKUPS[severity](`there is no backup in ${folder}`, cure);
  }
  const age = formatSpan(now - latestAt);
  if (now - latestAt > longest) {
    return BACKUPS.mend(`the latest backup is ${age} old`, cure);
  }
  return BACKUPS.fine(`the latest is ${age} old`);
}

/** Complete backups in the data folder's backup folder, newest first. */
export function listBackups(data: string): BackupRow[] {
  const folder = join(data, FILES.backups);
  if (!isReadableFolder(folder)) return [];
  const rows = readdirSync(folder).flatMap((name) => {
    const file = name.endsWith(".db") ? lookAtPath(join(folder, name)) : undefined;
    return file?.isFile() ? [{ name, at: Math.round(file.mtimeMs), bytes: file.size }] : [];
  });
  return rows.toSorted((a, b) => b.at - a.at);
}
