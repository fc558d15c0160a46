import { readdirSync } from "node:fs";
import { join } from "node:path";

import type { EpochMs } from "../../domain/time.ts";
import { FILES, isReadableFolder, statIfThere } from "./data-folder.ts";
import { type Finding, fine, formatSpan } from "./finding.ts";

/** Whoever keeps backups makes one a day at least; one that is missed is noticed. */
const OLD_MS = 48 * 60 * 60 * 1000;

/** A backup has this name when it is whole. */
const WHOLE = /\.db$/;

/** Looks at the latest backup, where there is a folder of them. */
export function examineBackups(data: string, now: EpochMs): Finding[] {
  const folder = join(data, FILES.backups);
  if (!isReadableFolder(folder)) return [];
  const made = readdirSync(folder).flatMap((name) => {
    const file = statIfThere(join(folder, name));
    return file?.isFile() && file.size > 0 && WHOLE.test(name) ? [file.mtimeMs] : [];
  });
  return [judgeBackups(folder, made.length === 0 ? undefined : Math.max(...made), now)];
}

/** Pure. */
export function judgeBackups(folder: string, latestAt: EpochMs | undefined, now: EpochMs): Finding {
  const cure = "see whether the server still makes them, and whether the disk has room; make one now";
  if (latestAt === undefined) {
    return { check: "backups", severity: "mend", message: `there is no backup in ${folder}`, cure };
  }
  const age = formatSpan(now - latestAt);
  if (now - latestAt > OLD_MS) {
    return { check: "backups", severity: "mend", message: `the latest backup is ${age} old`, cure };
  }
  return fine("backups", `the latest is ${age} old`);
}
