import { chmodSync, lstatSync, mkdirSync, readlinkSync } from "node:fs";
import { join } from "node:path";

import type { EpochMs } from "../../../domain/time.ts";
import { accessCure, lookAtPath } from "../usable-folder.ts";
import { ownLike } from "./durable-files.ts";
import { BackupError, explainCopyFault } from "./errors.ts";

/** An instant in UTC, in characters that every file system allows: `2026-11-30T12-00-00.000Z`. */
export function stampOf(at: EpochMs): string {
  return new Date(at).toISOString().replaceAll(":", "-");
}

/**
 * Creates the folder of a data folder's backups if it is missing, readable for the data folder's owner only.
 *
 * @throws BackupError if it cannot be created; the message holds the remedy.
 */
export function openBackupsFolder(dataDir: string): string {
  const folder = join(dataDir, "backups");
  refuseOther(folder);
  try {
    if (mkdirSync(folder, { recursive: true, mode: 0o700 }) !== undefined) {
      chmodSync(folder, 0o700);
      ownLike(dataDir, folder);
    }
    return folder;
  } catch (error) {
    throw explainShut(dataDir, folder, error);
  }
}

/** A dangling link means that a disk is not mounted: its target must not be created here. */
function refuseOther(folder: string): void {
  const found = lstatSync(folder, { throwIfNoEntry: false });
  if (!found || lookAtPath(folder)?.isDirectory()) return;
  if (!found.isSymbolicLink() || lookAtPath(folder)) {
    throw new BackupError(
      `${folder} is not a folder; move it away, backups are made in a folder of that name`,
    );
  }
  throw new BackupError(
    `${folder} points to ${readlinkSync(folder)}, which is not there; mount it, or remove the link`,
  );
}

function explainShut(dataDir: string, folder: string, error: unknown): unknown {
  const { code = "" } = error as NodeJS.ErrnoException;
  const owner = lookAtPath(dataDir)?.uid;
  if ((code !== "EACCES" && code !== "EPERM") || owner === undefined) return explainCopyFault(dataDir, error);
  return new BackupError(`${folder} cannot be made by this user (${code}); ${accessCure(dataDir, owner)}`, {
    cause: error,
  });
}

/** The name of a manual backup that was given no name. */
export function backupName(at: EpochMs): string {
  return `parley-${stampOf(at)}.db`;
}

/** The name of a scheduled backup. */
export function scheduledName(at: EpochMs): string {
  return `parley-scheduled-${stampOf(at)}.db`;
}

/** When a scheduled backup was made, from its name; undefined for other names. */
export function scheduledAt(name: string): EpochMs | undefined {
  const [, day, time] = /^parley-scheduled-(.*T)(.*)\.db$/.exec(name) ?? [];
  const at = Date.parse(`${day}${time?.replaceAll("-", ":")}`);
  return !Number.isNaN(at) && scheduledName(at) === name ? at : undefined;
}

/** When the newest scheduled backup was made. Backups from the future are ignored: the clock was wrong when they were made. */
export function newestScheduled(names: readonly string[], now: EpochMs): EpochMs | undefined {
  const instants = names.map((name) => scheduledAt(name) ?? Infinity).filter((at) => at <= now);
  return instants.length === 0 ? undefined : Math.max(...instants);
}

/** Scheduled backups beyond the `keep` newest, oldest first. `made` is kept, even if the clock was wrong. */
export function surplusBackups(names: readonly string[], made: string, keep: number): string[] {
  const others = names.filter((name) => name !== made && scheduledAt(name) !== undefined).toSorted();
  return others.slice(0, Math.max(0, others.length - (keep - 1)));
}
