import { constants, existsSync } from "node:fs";
import { type FileHandle, open } from "node:fs/promises";
import { dirname } from "node:path";

import { giveName } from "../store/sqlite/backup/durable-files.ts";
import { isOwnFile } from "../store/sqlite/backup/own-files.ts";
import { PartFile, removeAbandonedParts } from "../store/sqlite/backup/part-file.ts";
import { lookAtPath } from "../store/sqlite/look-at-path.ts";
import { InputError } from "./exit-code.ts";
import type { Terminal } from "./terminal.ts";

/** Where a command writes much data. */
export interface Output extends AsyncDisposable {
  /** Resolves when more may follow. */
  write: (text: string) => Promise<void>;
  /** To be called when all is written. */
  finish: () => Promise<void>;
}

/** The file that a command may write to. */
export interface OutputOptions {
  /** Stdout where it is not given. */
  file?: string | undefined;
  /** Replaces a file that is there. */
  replace: boolean;
  /** Whose own files are never replaced. */
  dataDir: string;
}

/**
 * Opens stdout, or a file that only its owner may read. The file gets its name when it is whole: until then what is written stands in a
 * hidden file of its own beside it, which goes away where the command fails.
 *
 * @throws InputError when the file cannot be written, exists and is not to be replaced, or is one of the data folder's own.
 */
export async function openOutput(
  { write, now }: Pick<Terminal, "write" | "now">,
  { file, replace, dataDir }: OutputOptions,
): Promise<Output> {
  if (file === undefined) return { write, finish: async () => {}, [Symbol.asyncDispose]: async () => {} };
  if (isOwnFile(dataDir, file)) {
    throw new InputError(`${file} is a file of the data folder itself; choose another name`);
  }
  // A device or a pipe cannot be replaced by a file.
  if (isSpecial(file)) return writeTo(file, await tryToWrite(file, () => open(file, "w")));
  if (!replace && existsSync(file)) throw existing(file);
  return openPart(file, replace, now);
}

async function openPart(file: string, replace: boolean, now: Terminal["now"]): Promise<Output> {
  const folder = dirname(file);
  const [part, handle] = await tryToWrite(file, async () => {
    removeAbandonedParts(folder, now);
    const made = new PartFile(folder, now());
    // In a folder that others write to, a link may have been put in its place.
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
