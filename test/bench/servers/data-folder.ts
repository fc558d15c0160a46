import { cpSync, existsSync, mkdtempSync, rmSync, statfsSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** Type of a file system in memory (`TMPFS_MAGIC`, statfs(2)). */
const TMPFS = 0x01021994;
const SHARED_MEMORY = "/dev/shm";

/** A bench's folder, deleted at its end. */
export interface DataFolder extends Disposable {
  path: string;
}

/** Place of a folder: on disk (below `TMPDIR`), or in memory. */
export type Place = "disk" | "memory";

/** A new folder, empty or a copy of another. @throws Error if the machine has no file system in memory. */
export function dataFolder(place: Place, copyOf?: string): DataFolder {
  const parent = place === "disk" ? tmpdir() : SHARED_MEMORY;
  if (place === "memory" && !existsSync(SHARED_MEMORY)) throw new Error(`there is no ${SHARED_MEMORY} here`);
  const path = mkdtempSync(join(parent, "parley-bench-"));
  if (copyOf !== undefined) cpSync(copyOf, path, { recursive: true });
  return { path, [Symbol.dispose]: () => rmSync(path, { recursive: true, force: true }) };
}

/** Whether the folder "on disk" is in memory: figures of commits mean nothing then. */
export function isInMemory(path: string): boolean {
  return statfsSync(path).type === TMPFS;
}
