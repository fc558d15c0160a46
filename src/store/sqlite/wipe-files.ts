import type { Database } from "better-sqlite3";

import type { WipedFiles } from "../interface/conversations.ts";

/** Largest file that is rewritten: that takes some seconds, during which messages wait. */
export const REWRITTEN_BYTES = 256 * 1024 * 1024;
const LOG_TRIES = 5;

/**
 * Removes erased data from the files. `secure_delete` overwrites deleted rows, but not the copies that SQLite leaves in the unused middle of a
 * page when it moves rows (0 to 3 of 3,000 in our trials); only rewriting the file removes these. The write-ahead log holds older pages until it
 * is truncated.
 *
 * @param most largest file, in bytes, that is rewritten.
 */
export function wipeFiles(db: Database, most = REWRITTEN_BYTES): WipedFiles {
  const number = (pragma: string) => Number(db.pragma(pragma, { simple: true }));
  const bytes = number("page_count") * number("page_size");
  const isRewritten = bytes <= most;
  if (isRewritten) {
    // Stored data must not pass through the temporary folder.
    db.pragma(`temp_store = ${bytes <= REWRITTEN_BYTES ? "MEMORY" : "DEFAULT"}`);
    db.exec("VACUUM");
  }
  return { isRewritten, isLogEmpty: emptyLog(db) };
}

function emptyLog(db: Database): boolean {
  for (let attempt = 0; attempt < LOG_TRIES; attempt++) {
    const [outcome] = db.pragma("wal_checkpoint(TRUNCATE)") as { busy: number }[];
    if (outcome?.busy === 0) return true;
  }
  return false;
}
