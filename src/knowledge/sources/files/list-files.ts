import { type Dirent, type Stats } from "node:fs";
import { readdir, realpath, stat } from "node:fs/promises";
import { join, posix, sep } from "node:path";

import { fileFault } from "../../../domain/file-fault.ts";
import { type Format, formatOfFile, READABLE } from "../formats/format.ts";

/** A file of a source. */
export interface ListedFile {
  /** Counted from the bot file's folder, with `/`. */
  place: string;
  /** Where it is, symbolic links followed. */
  realPath: string;
  format: Format;
  bytes: number;
}

export interface ListedFiles {
  files: ListedFile[];
  skipped: { place: string; reason: string }[];
}

/** Files of one source; more are a mistake in the path. */
export const MAX_FILES = 20_000;

/**
 * Lists what a path names: one file, or every file in a folder and below it, sorted, hidden ones left out. Symbolic links are followed
 * within the bot file's folder, and nothing outside it is looked at.
 *
 * @param folder the bot file's
 * @returns the reason, where the path itself cannot be read
 */
export async function listFiles(folder: string, path: string): Promise<ListedFiles | { unreadable: string }> {
  const root = await realpath(folder).catch((error: unknown) => ({ unreadable: fileFault(error) }));
  if (typeof root === "object") return root;
  const walk: Walk = { root, seen: new Set(), files: [], skipped: [] };
  const unreadable = await visit(walk, path, { isNamed: true });
  return unreadable === undefined ? { files: walk.files, skipped: walk.skipped } : { unreadable };
}

interface Walk extends ListedFiles {
  root: string;
  /** Real paths of what has been visited. */
  seen: Set<string>;
}

/** Adds a file, or what is in a folder. @returns why it cannot be read */
async function visit(
  walk: Walk,
  place: string,
  { isNamed }: { isNamed: boolean },
): Promise<string | undefined> {
  let real: string;
  let details: Stats;
  try {
    real = await realpath(join(walk.root, place));
    if (!isInside(walk.root, real)) return "leads out of the bot file's folder";
    details = await stat(real);
  } catch (error) {
    return fileFault(error);
  }
  if (walk.seen.has(real)) return undefined;
  walk.seen.add(real);
  if (details.isDirectory()) return visitFolder(walk, place, real);
  if (!details.isFile()) return "is neither a file nor a folder";
  return visitFile(walk, place, { real, bytes: details.size, isNamed });
}

function isInside(root: string, real: string): boolean {
  return real === root || real.startsWith(root.endsWith(sep) ? root : root + sep);
}

async function visitFolder(walk: Walk, place: string, real: string): Promise<string | undefined> {
  let entries: Dirent[];
  try {
    entries = await readdir(real, { withFileTypes: true });
  } catch (error) {
    return fileFault(error);
  }
  const names = entries.map(({ name }) => name).filter((name) => !name.startsWith("."));
  for (const name of names.toSorted()) {
    const inner = posix.join(place, name);
    const reason = await visit(walk, inner, { isNamed: false });
    if (reason !== undefined) walk.skipped.push({ place: inner, reason });
  }
  return undefined;
}

function visitFile(
  walk: Walk,
  place: string,
  { real, bytes, isNamed }: { real: string; bytes: number; isNamed: boolean },
): string | undefined {
  const format = formatOfFile(place);
  if (format === undefined) return isNamed ? `is not ${READABLE}` : `is left out: it is not ${READABLE}`;
  if (walk.files.length >= MAX_FILES) return `is left out: more than ${MAX_FILES} files are not read`;
  walk.files.push({ place, realPath: real, format, bytes });
  return undefined;
}
