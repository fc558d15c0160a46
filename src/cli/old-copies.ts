import { readdirSync } from "node:fs";
import { join, relative } from "node:path";

import { hasSqliteHeader } from "../store/sqlite-header.ts";

/** The database that is in use, and its other files. They are not opened: to close them would take away locks that SQLite holds on them. */
const IN_USE: ReadonlySet<string> = new Set(["parley.db", "parley.db-wal", "parley.db-shm", "parley.lock"]);

/** Copies of the database in the data folder, made before a migration or as backups. What was erased since is still in them. */
export function findOldCopies(folder: string): string[] {
  const entries = readdirSync(folder, { withFileTypes: true, recursive: true });
  return entries
    .filter(
      (entry) => entry.isFile() && !(IN_USE.has(entry.name) && relative(folder, entry.parentPath) === ""),
    )
    .map(({ parentPath, name }) => join(parentPath, name))
    .filter(hasSqliteHeader)
    .toSorted();
}
