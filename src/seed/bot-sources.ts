import { createReadStream, type Stats } from "node:fs";
import { readdir, realpath, stat } from "node:fs/promises";
import { join, normalize } from "node:path";

import { fileFault } from "../domain/file-fault.ts";
import type { BotSource } from "./bot-file.ts";
import type { SeedProblem } from "./problem.ts";

/** Maximum size of a bot file in bytes. */
export const MAX_BOT_FILE_BYTES = 8 * 1024 * 1024;

export interface BotSources {
  sources: BotSource[];
  problems: SeedProblem[];
}

/**
 * Reads bot files: a file of any name, every `*.yaml`, `*.yml` and `*.json` in a folder and below it (sorted; hidden
 * ones left out; symbolic links followed once), `-` for what `readStdin` gives. A file named twice is read once.
 * Unreadable or oversized files become problems; nothing is thrown.
 *
 * @param readStdin reads up to the end, or to more bytes than it is given.
 */
export async function readBotSources(
  paths: readonly string[],
  readStdin: (most: number) => Promise<Uint8Array>,
): Promise<BotSources> {
  const collected: BotSources = { sources: [], problems: [] };
  const seen = new Set<string>();
  for (const path of paths) {
    if (path !== "-") await addPath(path, collected, seen);
    else if (!seen.has(path)) addBytes("stdin", await readStdin(MAX_BOT_FILE_BYTES), collected);
    seen.add(path);
  }
  return collected;
}

function addBytes(name: string, bytes: Uint8Array, collected: BotSources): void {
  if (bytes.length > MAX_BOT_FILE_BYTES) collected.problems.push(problem(name, TOO_BIG));
  else addText(name, bytes, collected);
}

const TOO_BIG = `larger than ${MAX_BOT_FILE_BYTES / 1024 / 1024} MiB; split it into a file for each bot`;

/** A problem of a whole file or folder, without a position. */
function problem(source: string, message: string): SeedProblem {
  return { source, message, severity: "error" };
}

async function addPath(path: string, collected: BotSources, seen: Set<string>): Promise<void> {
  try {
    const [details, real] = await Promise.all([stat(path), realpath(path)]);
    if (seen.has(real)) return;
    seen.add(real);
    if (details.isDirectory()) await addFolder(path, collected, seen);
    else await addFile(path, details, collected);
  } catch (error) {
    collected.problems.push(problem(path, fileFault(error)));
  }
}

const BOT_FILE = /\.(?:ya?ml|json)$/i;

async function addFolder(path: string, collected: BotSources, seen: Set<string>): Promise<void> {
  const before = collected.sources.length + collected.problems.length;
  await addEntries(path, collected, seen);
  if (collected.sources.length + collected.problems.length === before) {
    collected.problems.push(problem(path, "this folder holds no *.yaml, *.yml or *.json file"));
  }
}

async function addEntries(path: string, collected: BotSources, seen: Set<string>): Promise<void> {
  const names = (await readdir(path)).filter((name) => !name.startsWith(".")).toSorted();
  for (const name of names) {
    const entry = join(path, name);
    if (BOT_FILE.test(name)) await addPath(entry, collected, seen);
    else if (await isNewFolder(entry, seen)) await addEntries(entry, collected, seen);
  }
}

/** Whether a folder is visited for the first time. Marks it as visited, so that circular links end. */
async function isNewFolder(path: string, seen: Set<string>): Promise<boolean> {
  const details = await stat(path).catch(() => undefined);
  if (details === undefined || !details.isDirectory()) return false;
  const real = await realpath(path);
  if (seen.has(real)) return false;
  seen.add(real);
  return true;
}

async function addFile(path: string, details: Stats, collected: BotSources): Promise<void> {
  const name = normalize(path);
  if (!details.isFile()) collected.problems.push(problem(name, "neither a file nor a folder"));
  // Some files report no size, or grow.
  else addBytes(name, await readAtMost(createReadStream(path), MAX_BOT_FILE_BYTES), collected);
}

function addText(name: string, bytes: Uint8Array, collected: BotSources): void {
  try {
    collected.sources.push({ name, text: new TextDecoder("utf-8", { fatal: true }).decode(bytes) });
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    collected.problems.push(notUtf8(name, bytes));
  }
}

function notUtf8(name: string, bytes: Uint8Array): SeedProblem {
  const isUtf16 = (bytes[0] === 0xff && bytes[1] === 0xfe) || (bytes[0] === 0xfe && bytes[1] === 0xff);
  if (isUtf16) return problem(name, "this file is UTF-16; save it as UTF-8");
  // The decoder puts U+FFFD at the first fault, and everything before it is correct.
  const before = new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes).split("\ufffd")[0] ?? "";
  const lines = before.split("\n");
  return {
    ...problem(name, "this byte is not UTF-8; save the file as UTF-8"),
    line: lines.length,
    column: (lines.at(-1) ?? "").length + 1,
  };
}

/**
 * All bytes, or somewhat more than `most` if there are more: the caller must refuse those. The rest is not read.
 */
export async function readAtMost(bytes: AsyncIterable<Uint8Array>, most: number): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of bytes) {
    chunks.push(chunk);
    length += chunk.byteLength;
    if (length > most) break;
  }
  return Buffer.concat(chunks);
}
