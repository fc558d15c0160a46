import { closeSync, openSync, readdirSync, readlinkSync, rmSync, statSync } from "node:fs";
import { hostname } from "node:os";
import { join } from "node:path";

import { sha256 } from "../../../domain/sha256.ts";
import type { EpochMs, Now } from "../../../domain/time.ts";
import { removeDatabase } from "./durable-files.ts";

const PART_NAME = /^\.parley-\d+-(?<pid>\d+)(?:-(?<place>[0-9a-f]+))?\.part/;

/** A copy of another machine that nothing was written to for so long was left by a process that was killed: only its check writes nothing, for minutes. */
const ABANDONED_AFTER_MS = 60 * 60 * 1000;

/** An unfinished copy in the folder where it will stand. Disposing of it removes it, unless it has got its name. */
export class PartFile implements Disposable {
  readonly path: string;

  /** Creates it, for its owner alone. */
  constructor(folder: string, now: EpochMs) {
    this.path = join(folder, `.parley-${now}-${process.pid}-${placeOfProcesses()}.part`);
    closeSync(openSync(this.path, "wx", 0o600));
  }

  [Symbol.dispose](): void {
    removeDatabase(this.path);
  }
}

/** Removes unfinished copies that killed processes left in a folder. */
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

/** Tells machines and containers apart: a process id means nothing outside its own. */
function placeOfProcesses(): string {
  return sha256(`${hostname()} ${processNamespace()}`).toString("hex").slice(0, 12);
}

/** Empty where the system has none. */
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
