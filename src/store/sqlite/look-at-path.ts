import { type Stats, statSync } from "node:fs";

/** What a look at a path fails with that leads nowhere, or through a folder that is shut. */
const UNKNOWABLE = new Set(["ENOTDIR", "EACCES", "ELOOP"]);

/** What stands at a path; undefined where nothing does, or this user may not know. */
export function lookAtPath(path: string): Stats | undefined {
  try {
    return statSync(path, { throwIfNoEntry: false });
  } catch (error) {
    if (UNKNOWABLE.has((error as NodeJS.ErrnoException).code ?? "")) return undefined;
    throw error;
  }
}
