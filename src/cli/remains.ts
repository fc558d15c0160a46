import { readdirSync } from "node:fs";
import { join, relative } from "node:path";

import type { Config } from "../config/config.ts";
import { COMMAND_PACE, eraseDeleted } from "../operate/erase.ts";
import type { WipedFiles } from "../store/interface/conversations.ts";
import type { Store } from "../store/interface/store.ts";
import { hasSqliteHeader } from "../store/sqlite/sqlite-header.ts";
import { Progress } from "./progress.ts";
import type { Terminal } from "./terminal.ts";

/** The files of the database in use. They must not be opened: closing them would release SQLite's locks. */
const IN_USE: ReadonlySet<string> = new Set(["parley.db", "parley.db-wal", "parley.db-shm", "parley.lock"]);

/** Copies of the database in the data folder, from migrations or backups. They still contain data erased since. */
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

/** Lists the places that may still contain erased data. */
export function sayRemains(
  terminal: Terminal,
  { isLogEmpty, remains }: WipedFiles,
  { data, store }: Pick<Config, "data" | "store">,
): void {
  const oldCopies = store ? [] : findOldCopies(data);
  if (!isLogEmpty) {
    warn(
      terminal,
      "parley.db-wal could not be emptied because it is in use; run this again, or stop the server",
    );
  }
  if (remains !== undefined) warn(terminal, remains);
  if (oldCopies.length > 0) {
    warn(terminal, `these copies of the database still contain the deleted data: ${oldCopies.join(", ")}`);
  }
}

/** Prints a warning although the command succeeded. */
export function warn({ say, colours }: Terminal, text: string): void {
  say(`${colours.err.yellow("warning:")} ${text}`);
}

/** Erases the remaining data of deleted bots, with progress. If it is interrupted, a server continues. */
export async function eraseDeletedBots(
  store: Pick<Store, "bots" | "erasure">,
  terminal: Terminal,
  config: Pick<Config, "data" | "store">,
): Promise<void> {
  using progress = new Progress(terminal);
  const wiped = await eraseDeleted(store, {
    pace: COMMAND_PACE,
    onStep: ({ id }, share) => progress.report(`erasing remaining data of ${id}`, share),
  });
  if (wiped) sayRemains(terminal, wiped, config);
}
