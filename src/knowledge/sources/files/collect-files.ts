import { posix } from "node:path";

import { fileFault } from "../../../domain/file-fault.ts";
import type { CollectedSource } from "../collected.ts";
import { SourceResult, type SourceRun } from "../run.ts";
import type { FileSource } from "../source.ts";
import { type ListedFile, listFiles } from "./list-files.ts";

/** Reads the new and changed files of a source. @param folder the bot file's */
export async function collectFiles(
  source: FileSource,
  folder: string,
  run: SourceRun,
): Promise<CollectedSource> {
  const result = new SourceResult(run);
  const listed = await listFiles(folder, source);
  if ("fault" in listed) return { ...result.collected, unreadable: listed.fault };
  for (const { place, reason } of listed.skipped) result.skip(place, reason);
  for (const { place, reason } of listed.unreadable) result.keepBelow(place, reason);
  for (const [index, file] of listed.files.entries()) {
    run.signal?.throwIfAborted();
    run.report({ source: run.name, done: index, total: listed.files.length, place: file.place });
    if (result.claim(file.place)) await collectFile(file, source, result, run);
  }
  return result.collected;
}

async function collectFile(
  { place, realPath, format, bytes: size }: ListedFile,
  source: FileSource,
  result: SourceResult,
  { limits }: SourceRun,
): Promise<void> {
  // Reads one byte more than allowed, because some files report no size, or grow.
  const most = limits.bytes + 1;
  const bytes = await readStart(realPath, Math.min(most, size === 0 ? most : size + 1));
  if (typeof bytes === "string") return result.keep(place, bytes);
  const url = urlOf(place, source);
  await result.read({
    place,
    format,
    bytes,
    fallbackTitle: titleFromPath(place),
    ownUrlCounts: true,
    ...(url !== undefined && { url }),
  });
}

/** The first bytes of a file, or why it cannot be read. */
async function readStart(path: string, most: number): Promise<Uint8Array | string> {
  try {
    return await Bun.file(path).slice(0, most).bytes();
  } catch (error) {
    return fileFault(error);
  }
}

const INDEX = /(^|\/)(?:index|readme)$/i;

/**
 * Public address of a file in a folder: below the folder's address, as site generators place it. Pages made from Markdown lose the extension,
 * and the index of a folder is the folder itself.
 */
function urlOf(place: string, { path, url }: FileSource): string | undefined {
  if (url === undefined || place === path) return url;
  const inner = path === "." ? place : place.slice(path.length + 1);
  const address = inner
    .replace(/\.(?:md|mdx|markdown)$/i, "")
    .replace(/\.html?$/i, (end) => end.toLowerCase());
  const page = address.replace(/(^|\/)index\.html?$/i, "$1index").replace(INDEX, "$1");
  return new URL(page.split("/").map(encodeURIComponent).join("/"), url.endsWith("/") ? url : `${url}/`).href;
}

/** `docs/gift-cards.md` gets the title "Gift cards" if the document has no better one. */
function titleFromPath(place: string): string {
  const name = posix.basename(place).replace(/\.\w+$/, "");
  const words = name.replaceAll(/[-_]+/g, " ").trim() || name;
  return words.charAt(0).toUpperCase() + words.slice(1);
}
