import { existsSync, readFileSync, writeFileSync } from "node:fs";

import { UnusableDatabaseError } from "../../unusable-database.ts";
import { syncPath } from "./durable-files.ts";

/** Stands beside a database while a restore takes its log away and has not put the restored file there yet. */
export function restoreMarkerOf(database: string): string {
  return `${database}.restoring`;
}

/** Writes the marker to disk; it names what the restore keeps of the old database. */
export function writeRestoreMarker(database: string, kept: string): void {
  writeFileSync(restoreMarkerOf(database), kept, { mode: 0o600 });
  syncPath(restoreMarkerOf(database));
}

/** @throws UnusableDatabaseError where a restore was interrupted between the old database and the new one. */
export function refuseUnfinishedRestore(database: string): void {
  const marker = restoreMarkerOf(database);
  if (!existsSync(marker)) return;
  const kept = readFileSync(marker, "utf8");
  throw new UnusableDatabaseError(
    `a restore of ${database} was interrupted; run \`parley restore FILE\` again, or go back to what was there: ` +
      `move ${kept} to ${database} and ${kept}-wal to ${database}-wal, then delete ${marker}`,
  );
}
