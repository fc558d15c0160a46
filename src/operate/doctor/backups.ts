import { constants, readdirSync } from "node:fs";
import { join } from "node:path";

import type { Config } from "../../config/config.ts";
import type { EpochMs } from "../../domain/time.ts";
import { hasSqliteHeader } from "../../store/sqlite/sqlite-header.ts";
import { FILES, isReadableFolder, statIfThere, whyNoAccess } from "./examine-folder.ts";
import { type Finding, fine, formatSpan } from "./finding.ts";

/** Whoever keeps backups makes one a day at least; one that is missed is noticed. */
const OLD_MS = 48 * 60 * 60 * 1000;

/** A backup has this name when it is whole. */
const WHOLE = /\.db$/;

/** Looks at the latest backup. Where there is no folder of them and no server makes them, they may be kept elsewhere. */
export function examineBackups(
  { data, backupEvery }: Pick<Config, "data" | "backupEvery">,
  now: EpochMs,
): Finding[] {
  const folder = join(data, FILES.backups);
  if (!isReadableFolder(folder)) {
    return [
      backupEvery === undefined
        ? noneHere(folder)
        : judgeBackups(folder, { latestAt: undefined, now, backupEvery }),
    ];
  }
  const made = readdirSync(folder).flatMap((name) => madeAt(join(folder, name)));
  const latestAt = made.length === 0 ? undefined : Math.max(...made);
  return [judgeBackups(folder, { latestAt, now, backupEvery })];
}

function noneHere(folder: string): Finding {
  return {
    check: "backups",
    severity: "hint",
    message: `there is no backup in ${folder}`,
    cure: "have a server make them with `--backup-every`, unless some are kept elsewhere",
  };
}

/** When a backup was made; none where the file is no database, or is not whole. */
function madeAt(path: string): EpochMs[] {
  const file = statIfThere(path);
  return file?.isFile() && WHOLE.test(path) && isDatabase(path) ? [file.mtimeMs] : [];
}

/** One that this user may not read is taken for what its name says. */
function isDatabase(path: string): boolean {
  return whyNoAccess(path, constants.R_OK) !== undefined || hasSqliteHeader(path);
}

interface BackupTimes {
  latestAt: EpochMs | undefined;
  now: EpochMs;
  /** What `--backup-every` says; undefined where no server makes them. */
  backupEvery: number | undefined;
}

/** The latest may be two intervals old. Pure. */
export function judgeBackups(folder: string, { latestAt, now, backupEvery }: BackupTimes): Finding {
  const cure =
    "see whether the server still makes them, and whether the disk has room; `parley backup` makes one now";
  if (latestAt === undefined) {
    return { check: "backups", severity: "mend", message: `there is no backup in ${folder}`, cure };
  }
  const age = formatSpan(now - latestAt);
  if (now - latestAt > (backupEvery === undefined ? OLD_MS : 2 * backupEvery)) {
    return { check: "backups", severity: "mend", message: `the latest backup is ${age} old`, cure };
  }
  return fine("backups", `the latest is ${age} old`);
}
