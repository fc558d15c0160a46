import { closeSync, openSync, readSync } from "node:fs";

/** How every file of SQLite's begins (its file format, section 1.3). */
const HEADER = "SQLite format 3\0";

/** Whether a file that is there begins as those of SQLite do. It says nothing of the rest. */
export function hasSqliteHeader(file: string): boolean {
  const head = Buffer.alloc(HEADER.length);
  const descriptor = openSync(file, "r");
  try {
    readSync(descriptor, head);
  } finally {
    closeSync(descriptor);
  }
  return head.toString("latin1") === HEADER;
}
