import { closeSync, openSync, readdirSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";

import type { EpochMs, Now } from "../../domain/time.ts";
import { removeDatabase } from "./durable-files.ts";

const PART_NAME = /^\.parley-\d+-\d+\.part/;

/** A copy that nothing was written to for so long was left by a process that was killed: only its check writes nothing, for minutes. */
const ABANDONED_AFTER_MS = 60 * 60 * 1000;

/** An unfinished copy in the folder where it will stand. Disposing of it removes it, unless it has got its name. */
export class PartFile implements Disposable {
  readonly path: string;

  /** Creates it, for its owner alone. */
  constructor(folder: string, now: EpochMs) {
    this.path = join(folder, `.parley-${now}-${process.pid}.part`);
    closeSync(openSync(this.path, "wx", 0o600));
  }

  [Symbol.dispose](): void {
    removeDatabase(this.path);
  }
}

/** Removes unfinished copies that killed processes left in a folder. */
export function removeAbandonedParts(folder: string, now: Now): void {
  for (const name of readdirSync(folder)) {
    if (!PART_NAME.test(name)) continue;
    const file = join(folder, name);
    const writtenAt = statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? Number.POSITIVE_INFINITY;
    if (now() - writtenAt > ABANDONED_AFTER_MS) rmSync(file, { force: true });
  }
}
