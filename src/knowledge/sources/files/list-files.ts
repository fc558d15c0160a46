import { type Dirent, type Stats } from "node:fs";
import { readdir, realpath, stat } from "node:fs/promises";
import { join, posix, sep } from "node:path";

import { fileFault } from "../../../domain/file-fault.ts";
import { type Format, formatOfFile, READABLE } from "../formats/format.ts";
import type { FileSource } from "../source.ts";

/** A file of a source. */
export interface ListedFile {
  /** Relative to the bot file's folder, with `/`. */
  place: string;
  /** Path after symbolic links are resolved. */
  realPath: string;
  format: Format;
  bytes: number;
}

export interface ListedFiles {
  files: ListedFile[];
  /** Files that are not documents of the source. */
  skipped: { place: string; reason: string }[];
  /** Files, or folders with everything below them, that may be readable later. */
  unreadable: { place: string; reason: string }[];
}

/** Maximum number of files of one source; more suggest a wrong path. Chosen by hand. */
export const MAX_FILES = 20_000;

/**
 * Lists the files of a path: one file, or every file in a folder and below it, sorted, without hidden ones. Symbolic links are followed within
 * the bot file's folder; nothing outside it is read.
 *
 * @param folder the bot file's
 * @returns the reason, if the path itself cannot be read
 */
export async function listFiles(
  folder: string,
  { path, exclude = [] }: ListedSource,
): Promise<ListedFiles | { fault: string }> {
  const root = await realpath(folder).catch((error: unknown) => ({ fault: fileFault(error) }));
  if (typeof root === "object") return root;
  const isExcluded = excluderOf(path, exclude);
  const walk: Walk = { root, isExcluded, seen: new Set(), files: [], skipped: [], unreadable: [] };
  const fault = await visit(walk, path);
  if (fault !== undefined) return { fault: fault.reason };
  return { files: walk.files, skipped: walk.skipped, unreadable: walk.unreadable };
}

type ListedSource = Pick<FileSource, "path" | "exclude">;

/** Why a path cannot be read, without listing a folder; undefined if it can. */
export async function pathFault(folder: string, path: string): Promise<string | undefined> {
  try {
    const found = await locate(await realpath(folder), path);
    return "reason" in found ? found.reason : undefined;
  } catch (error) {
    return fileFault(error);
  }
}

interface Walk extends ListedFiles {
  root: string;
  isExcluded: (place: string) => boolean;
  /** Real paths already visited. */
  seen: Set<string>;
}

/** The reason why a file or folder is not read, and the list it belongs to. */
interface Fault {
  list: "skipped" | "unreadable";
  reason: string;
}

const skipped = (reason: string): Fault => ({ list: "skipped", reason });
const unreadable = (reason: string): Fault => ({ list: "unreadable", reason });

/** Adds a file, or the contents of a folder. @returns the reason why it is not read */
async function visit(walk: Walk, place: string): Promise<Fault | undefined> {
  const found = await locate(walk.root, place);
  if ("reason" in found) return found;
  const { real, details } = found;
  if (walk.seen.has(real)) return undefined;
  walk.seen.add(real);
  if (details.isDirectory()) return visitFolder(walk, place, real);
  return visitFile(walk, { place, realPath: real, bytes: details.size });
}

/** The file or folder at a path, after following symbolic links. */
async function locate(root: string, place: string): Promise<{ real: string; details: Stats } | Fault> {
  try {
    const real = await realpath(join(root, place));
    if (!isInside(root, real)) return skipped("leads out of the bot file's folder");
    const details = await stat(real);
    const isOther = !details.isDirectory() && !details.isFile();
    return isOther ? skipped("is neither a file nor a folder") : { real, details };
  } catch (error) {
    return unreadable(fileFault(error));
  }
}

/** By file name anywhere; or by the path below the source's, if the pattern has a `/` inside. */
function excluderOf(path: string, patterns: readonly string[]): Walk["isExcluded"] {
  const globs = patterns.map((pattern) => {
    const bare = pattern.replace(/\/$/, "");
    return { glob: new Bun.Glob(bare), isPath: bare.includes("/") };
  });
  const below = (place: string) => (path === "." ? place : place.slice(path.length + 1));
  return (place) =>
    globs.some(({ glob, isPath }) => glob.match(isPath ? below(place) : posix.basename(place)));
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
    if (walk.isExcluded(inner)) continue;
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
