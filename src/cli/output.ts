import { constants, existsSync } from "node:fs";
import { type FileHandle, open } from "node:fs/promises";
import { dirname } from "node:path";

import { giveName } from "../store/sqlite/backup/durable-files.ts";
import { isOwnFile } from "../store/sqlite/backup/own-files.ts";
import { PartFile, removeAbandonedParts } from "../store/sqlite/backup/part-file.ts";
import { lookAtPath } from "../store/sqlite/usable-folder.ts";
import { InputError } from "./exit-code.ts";
import type { Terminal } from "./terminal.ts";

/** A destination for large output. */
export interface Output extends AsyncDisposable {
  /** Resolves when more can be written. */
  write: (text: string) => Promise<void>;
  /** Call after everything is written. */
  finish: () => Promise<void>;
}

/** The output file of a command. */
export interface OutputOptions {
  /** Absent: stdout. */
  file?: string | undefined;
  /** Replaces an existing file. */
  replace: boolean;
  /** The data folder, whose own files are never replaced. */
  dataDir: string;
}

/**
 * Opens stdout or a file that only its owner can read. The content is written to a hidden temporary file beside it, which is renamed when
 * complete and deleted if the command fails.
 *
 * @throws InputError if the file cannot be written, exists and may not be replaced, or belongs to the data folder.
 */
export async function openOutput(
  { write, now }: Pick<Terminal, "write" | "now">,
  { file, replace, dataDir }: OutputOptions,
): Promise<Output> {
  if (file === undefined) return { write, finish: async () => {}, [Symbol.asyncDispose]: async () => {} };
  if (isOwnFile(dataDir, file)) {
    throw new InputError(`${file} belongs to the data folder; choose another name`);
  }
  // A device or pipe must be written to directly, not replaced by a file.
  if (isSpecial(file)) return writeTo(file, await tryToWrite(file, () => open(file, "w")));
  if (!replace && existsSync(file)) throw existing(file);
  return openPart(file, replace, now);
}

async function openPart(file: string, replace: boolean, now: Terminal["now"]): Promise<Output> {
  const folder = dirname(file);
  const [part, handle] = await tryToWrite(file, async () => {
    removeAbandonedParts(folder, now);
    const made = new PartFile(folder, now());
    // In a folder that others can write to, the file may have been replaced by a link.
    return [made, await open(made.path, constants.O_WRONLY | constants.O_NOFOLLOW)] as const;
  });
  const output = writeTo(file, handle);
  return {
    ...output,
    finish: () =>
      tryToWrite(file, async () => {
        await handle.sync();
        if (!giveName(part.path, file, { replace })) throw existing(file);
      }),
    [Symbol.asyncDispose]: async () => {
      await output[Symbol.asyncDispose]();
      part[Symbol.dispose]();
    },
  };
}

function writeTo(file: string, handle: FileHandle): Output {
  return {
    write: (text) => tryToWrite(file, () => handle.writeFile(text)),
    finish: async () => {},
    [Symbol.asyncDispose]: () => handle.close(),
  };
}

function existing(file: string): InputError {
  return new InputError(`${file} exists; choose another name, or replace it with --force`);
}

async function tryToWrite<Result>(file: string, write: () => Promise<Result>): Promise<Result> {
  try {
    return await write();
  } catch (error) {
    if (error instanceof InputError) throw error;
    throw new InputError(`cannot write ${file}: ${(error as Error).message}`);
  }
}

function isSpecial(file: string): boolean {
  const details = lookAtPath(file);
  return details !== undefined && !details.isFile();
}
