import type { OnCopy } from "../sqlite/backup/backup-database.ts";

/** What ends a copy between two steps, and is told how far it is. */
export interface Reins {
  onCopy?: OnCopy;
  signal?: AbortSignal;
}
