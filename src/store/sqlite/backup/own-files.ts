import { realpathSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";

import { lookAtPath } from "../usable-folder.ts";
import { SIBLINGS } from "./durable-files.ts";

const DATABASE = "parley.db";

/** Files of a data folder besides its backups; every file with the database's name as prefix belongs to it. */
const NAMES = [DATABASE, ...SIBLINGS.map((suffix) => DATABASE + suffix), "parley.lock", "demo.token"];

/**
 * Whether a path leads to one of a data folder's own files, by any name: a running server has them open, and they must not be replaced. The
 * file need not exist.
 */
export function isOwnFile(dataDir: string, file: string): boolean {
  const name = basename(resolve(file));
  const isReserved = name.startsWith(DATABASE) || NAMES.includes(name);
  if (isReserved && isSame(dirname(resolve(file)), dataDir)) return true;
  return NAMES.some((own) => isSame(file, join(dataDir, own)));
}

/** By identity of the files; if one does not exist, by path. */
function isSame(a: string, b: string): boolean {
  const [one, other] = [a, b].map(lookAtPath);
  if (one && other) return one.dev === other.dev && one.ino === other.ino;
  return !one && !other && placeOf(a) === placeOf(b);
}

function placeOf(path: string): string {
  const folder = dirname(resolve(path));
  return join(lookAtPath(folder) ? realpathSync(folder) : folder, basename(resolve(path)));
}
