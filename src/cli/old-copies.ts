import { readdirSync } from "node:fs";
import { join, relative } from "node:path";

import type { Config } from "../config/config.ts";
import type { WipedFiles } from "../store/interface/conversations.ts";
import { hasSqliteHeader } from "../store/sqlite/sqlite-header.ts";
import type { Terminal } from "./terminal.ts";

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

/** Where what was erased may still be. */
export function sayRemains(
  terminal: Terminal,
  { isLogEmpty, remains }: WipedFiles,
  { data, store }: Pick<Config, "data" | "store">,
): void {
  const oldCopies = store ? [] : findOldCopies(data);
  if (!isLogEmpty) {
    warn(
      terminal,
      "parley.db-wal could not be emptied, as it is being read; run this again, or stop the server",
    );
  }
  if (remains !== undefined) warn(terminal, remains);
  if (oldCopies.length > 0) {
    warn(terminal, `what was deleted is still in these copies of the database: ${oldCopies.join(", ")}`);
  }
}

/** Says what an operator has to know, though the command did what it was to do. */
export function warn({ say, colours }: Terminal, text: string): void {
  say(`${colours.err.yellow("warning:")} ${text}`);
}
