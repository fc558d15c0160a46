import { existsSync, readFileSync, writeFileSync } from "node:fs";

import { UnusableDatabaseError } from "../../unusable-database.ts";
import { syncPath } from "./durable-files.ts";

/** The marker next to a database while a restore has removed its log and not yet placed the restored file. */
export function restoreMarkerOf(database: string): string {
  return `${database}.restoring`;
}

/** Writes the marker to disk, with the names of the kept files. */
export function writeRestoreMarker(database: string, kept: string): void {
  writeFileSync(restoreMarkerOf(database), kept, { mode: 0o600 });
  syncPath(restoreMarkerOf(database));
}

/** @throws UnusableDatabaseError if a restore was interrupted between the old database and the new one. */
export function refuseUnfinishedRestore(database: string): void {
  const marker = restoreMarkerOf(database);
  if (!existsSync(marker)) return;
  const kept = readFileSync(marker, "utf8");
  throw new UnusableDatabaseError(
    `a restore of ${database} was interrupted; run \`parley restore FILE\` again, or go back to what was there: ` +
      `move ${kept} to ${database} and ${kept}-wal to ${database}-wal, then delete ${marker}`,
  );
}
