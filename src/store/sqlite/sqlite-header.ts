import { closeSync, openSync, readSync } from "node:fs";

/** First bytes of every SQLite file (its file format, section 1.3). */
const HEADER = "SQLite format 3\0";

/** Whether an existing file begins with SQLite's header. Says nothing about the rest. */
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
