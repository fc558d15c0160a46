import { closeSync, openSync, readdirSync, readlinkSync, rmSync, statSync } from "node:fs";
import { hostname } from "node:os";
import { join } from "node:path";

import { sha256 } from "../../../domain/sha256.ts";
import type { EpochMs, Now } from "../../../domain/time.ts";
import { removeDatabase } from "./durable-files.ts";

const PART_NAME = /^\.parley-\d+-(?<pid>\d+)(?:-(?<place>[0-9a-f]+))?\.part/;

/** Age at which an unfinished copy of another machine counts as abandoned: the process was killed. A living one writes, except for the minutes of its check. */
const ABANDONED_AFTER_MS = 60 * 60 * 1000;

/** An unfinished copy in its final folder. Disposing removes it, unless it has been renamed. */
export class PartFile implements Disposable {
  readonly path: string;

  /** Creates it, readable for its owner only. */
  constructor(folder: string, now: EpochMs) {
    this.path = join(folder, `.parley-${now}-${process.pid}-${placeOfProcesses()}.part`);
    closeSync(openSync(this.path, "wx", 0o600));
  }

  [Symbol.dispose](): void {
    removeDatabase(this.path);
  }
}

/** Removes unfinished copies of killed processes from a folder. */
export function removeAbandonedParts(folder: string, now: Now): void {
  for (const name of readdirSync(folder)) {
    const parts = PART_NAME.exec(name)?.groups;
    if (!parts) continue;
    const file = join(folder, name);
    const writtenAt = statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? Number.POSITIVE_INFINITY;
    const isOrphan = parts.place === placeOfProcesses() && !isRunning(Number(parts.pid));
    if (isOrphan || now() - writtenAt > ABANDONED_AFTER_MS) rmSync(file, { force: true });
  }
}

/** Identifies the machine and the container: a process id is valid only within one. */
function placeOfProcesses(): string {
  return sha256(`${hostname()} ${processNamespace()}`).toString("hex").slice(0, 12);
}

/** Empty if the system has no such namespace. */
function processNamespace(): string {
  try {
    return readlinkSync("/proc/self/ns/pid");
  } catch (error) {
    if (["ENOENT", "EACCES"].includes((error as NodeJS.ErrnoException).code ?? "")) return "";
    throw error;
  }
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== "ESRCH";
  }
}
