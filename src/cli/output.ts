import { existsSync } from "node:fs";
import { type FileHandle, open, rm } from "node:fs/promises";

import { giveName } from "../store/backup/durable-files.ts";
import { isOwnFile } from "../store/backup/own-files.ts";
import { lookAtPath } from "../store/look-at-path.ts";
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
 * Opens stdout, or a file that only its owner may read. The file gets its name when it is whole: until then what is written stands in
 * `<file>.part`, which goes away where the command fails.
 *
 * @throws InputError when the file cannot be written, exists and is not to be replaced, or is one of the data folder's own.
 */
export async function openOutput(
  { write }: Pick<Terminal, "write">,
  { file, replace, dataDir }: OutputOptions,
): Promise<Output> {
  if (file === undefined) return { write, finish: async () => {}, [Symbol.asyncDispose]: async () => {} };
  if (isOwnFile(dataDir, file)) {
    throw new InputError(`${file} is a file of the data folder itself; choose another name`);
  }
  // A device or a pipe cannot be replaced by a file.
  if (isSpecial(file)) return openFile(file);
  if (!replace && existsSync(file)) throw existing(file);
  return openFile(`${file}.part`, { name: file, replace });
}

async function openFile(path: string, final?: { name: string; replace: boolean }): Promise<Output> {
  const handle = await openForWriting(path);
  let isWhole = false;
  return {
    write: (text) => tryToWrite(path, () => handle.writeFile(text)),
    finish: async () => {
      if (final) {
        await handle.sync();
        if (!giveName(path, final.name, final)) throw existing(final.name);
      }
      isWhole = true;
    },
    [Symbol.asyncDispose]: async () => {
      await handle.close();
      if (!isWhole && final) await rm(path, { force: true });
    },
  };
}

function existing(file: string): InputError {
  return new InputError(`${file} exists; choose another name, or replace it with --force`);
}

function openForWriting(path: string): Promise<FileHandle> {
  return tryToWrite(path, () => open(path, "w", 0o600));
}

async function tryToWrite<Result>(path: string, write: () => Promise<Result>): Promise<Result> {
  try {
    return await write();
  } catch (error) {
    throw new InputError(`cannot write ${path}: ${(error as Error).message}`);
  }
}

function isSpecial(file: string): boolean {
  const details = lookAtPath(file);
  return details !== undefined && !details.isFile();
}
