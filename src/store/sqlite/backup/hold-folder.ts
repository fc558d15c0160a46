import { existsSync } from "node:fs";
import { basename, dirname, join } from "node:path";

import { claimFolder } from "../folder-claim.ts";
import { ownLike } from "./durable-files.ts";

/**
 * Holds a data folder, so that no server can begin on it as its only one.
 *
 * @returns what holds it until it is disposed of; undefined where a server runs on it.
 */
export function holdFolder(dataDir: string): Disposable | undefined {
  const file = join(dataDir, "parley.lock");
  const isNew = !existsSync(file);
  const claim = claimFolder(file);
  if (isNew) ownLike(dataDir, file);
  return claim && { [Symbol.dispose]: () => claim.close() };
}

/** Whether a file is the database of a folder that a server runs on: its bytes change while they are read. */
export function isServed(file: string): boolean {
  const folder = dirname(file);
  if (basename(file) !== "parley.db" || !existsSync(join(folder, "parley.lock"))) return false;
  using held = holdFolder(folder);
  return held === undefined;
}
