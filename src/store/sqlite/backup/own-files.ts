import { realpathSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";

import { lookAtPath } from "../usable-folder.ts";
import { SIBLINGS } from "./durable-files.ts";

const DATABASE = "parley.db";

/** What Parley keeps in a data folder beside its backups; whatever begins with the database's name belongs to it. */
const NAMES = [DATABASE, ...SIBLINGS.map((suffix) => DATABASE + suffix), "parley.lock", "demo.token"];

/**
 * Whether a path leads to one of a data folder's own files, by whatever name: a running server has them open, and nobody may put
 * another file in their place. It need not exist.
 */
export function isOwnFile(dataDir: string, file: string): boolean {
  const name = basename(resolve(file));
  const isReserved = name.startsWith(DATABASE) || NAMES.includes(name);
  if (isReserved && isSame(dirname(resolve(file)), dataDir)) return true;
  return NAMES.some((own) => isSame(file, join(dataDir, own)));
}

/** By their identity, or where one does not exist, by where they would be. */
function isSame(a: string, b: string): boolean {
  const [one, other] = [a, b].map(lookAtPath);
  if (one && other) return one.dev === other.dev && one.ino === other.ino;
  return !one && !other && placeOf(a) === placeOf(b);
}

function placeOf(path: string): string {
  const folder = dirname(resolve(path));
  return join(lookAtPath(folder) ? realpathSync(folder) : folder, basename(resolve(path)));
}
