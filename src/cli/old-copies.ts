import { closeSync, openSync, readdirSync, readSync } from "node:fs";
import { join } from "node:path";

/** How every SQLite database begins (file format, section 1.3). */
const HEADER = Buffer.from("SQLite format 3\0");
/** The database that is in use; SQLite keeps its other files apart by their names. */
const IN_USE = "parley.db";

/** Copies of the database in the data folder, made before a migration or as backups. What was erased since is still in them. */
export function findOldCopies(folder: string): string[] {
  const entries = readdirSync(folder, { withFileTypes: true, recursive: true });
  return entries
    .filter((entry) => entry.isFile() && !(entry.name === IN_USE && entry.parentPath === folder))
    .map(({ parentPath, name }) => join(parentPath, name))
    .filter(isDatabase)
    .toSorted();
}

function isDatabase(file: string): boolean {
  const beginning = Buffer.alloc(HEADER.length);
  const descriptor = openSync(file, "r");
  try {
    readSync(descriptor, beginning, 0, HEADER.length, 0);
  } finally {
    closeSync(descriptor);
  }
  return beginning.equals(HEADER);
}
