import type { Database } from "better-sqlite3";

/** Until the process ends: a connection that is forgotten would be closed by the garbage collector. */
const ABANDONED = new Set<Database>();

/**
 * Leaves a connection open until the process ends. To close it would write the log into the database and delete the log by its path. Once
 * storage has failed, the one may hold what never was on disk, and the other may be somebody else's. The next process to open
 * the database reads what is really there.
 */
export function leaveOpen(db: Database): void {
  ABANDONED.add(db);
}
