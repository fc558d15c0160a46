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
  /** What is no document of the source. */
  skipped: { place: string; reason: string }[];
  /** Files, or folders with all below them, that may be readable again. */
  unreadable: { place: string; reason: string }[];
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
export async function listFiles(folder: string, path: string): Promise<ListedFiles | { fault: string }> {
  const root = await realpath(folder).catch((error: unknown) => ({ fault: fileFault(error) }));
  if (typeof root === "object") return root;
  const walk: Walk = { root, seen: new Set(), files: [], skipped: [], unreadable: [] };
  const fault = await visit(walk, path);
  if (fault !== undefined) return { fault: fault.reason };
  return { files: walk.files, skipped: walk.skipped, unreadable: walk.unreadable };
}

interface Walk extends ListedFiles {
  root: string;
  /** Real paths of what has been visited. */
  seen: Set<string>;
}

/** Why a file or folder is not read, and in which list that stands. */
interface Fault {
  list: "skipped" | "unreadable";
  reason: string;
}

const skipped = (reason: string): Fault => ({ list: "skipped", reason });
const unreadable = (reason: string): Fault => ({ list: "unreadable", reason });

/** Adds a file, or what is in a folder. @returns why it is not read */
async function visit(walk: Walk, place: string): Promise<Fault | undefined> {
  let real: string;
  let details: Stats;
  try {
    real = await realpath(join(walk.root, place));
    if (!isInside(walk.root, real)) return skipped("leads out of the bot file's folder");
    details = await stat(real);
  } catch (error) {
    return unreadable(fileFault(error));
  }
  if (walk.seen.has(real)) return undefined;
  walk.seen.add(real);
  if (details.isDirectory()) return visitFolder(walk, place, real);
  if (!details.isFile()) return skipped("is neither a file nor a folder");
  return visitFile(walk, { place, realPath: real, bytes: details.size });
}

function isInside(root: string, real: string): boolean {
  return real === root || real.startsWith(root.endsWith(sep) ? root : root + sep);
}

async function visitFolder(walk: Walk, place: string, real: string): Promise<Fault | undefined> {
  let entries: Dirent[];
  try {
    entries = await readdir(real, { withFileTypes: true });
  } catch (error) {
    return unreadable(fileFault(error));
  }
  const names = entries.map(({ name }) => name).filter((name) => !name.startsWith("."));
  for (const name of names.toSorted()) {
    const inner = posix.join(place, name);
    const fault = await visit(walk, inner);
    if (fault !== undefined) walk[fault.list].push({ place: inner, reason: fault.reason });
  }
  return undefined;
}

function visitFile(walk: Walk, file: Omit<ListedFile, "format">): Fault | undefined {
  const format = formatOfFile(file.place);
  if (format === undefined) return skipped(`is not ${READABLE}`);
  if (walk.files.length >= MAX_FILES) return unreadable(`more than ${MAX_FILES} files are not read`);
  walk.files.push({ ...file, format });
  return undefined;
}
