import { statSync } from "node:fs";
import { type FileHandle, open, rename, rm } from "node:fs/promises";

import { InputError } from "./exit-code.ts";
import type { Terminal } from "./terminal.ts";

/** Where a command writes much data. */
export interface Output extends AsyncDisposable {
  /** Resolves when more may follow. */
  write: (text: string) => Promise<void>;
  /** To be called when all is written. */
  finish: () => Promise<void>;
}

/**
 * Opens stdout, or a file that only its owner may read. The file gets its name when it is whole: until then what is written stands in
 * `<file>.part`, which goes away where the command fails.
 *
 * @throws InputError when the file cannot be written.
 */
export async function openOutput({ write }: Pick<Terminal, "write">, file?: string): Promise<Output> {
  if (file === undefined) return { write, finish: async () => {}, [Symbol.asyncDispose]: async () => {} };
  // A device or a pipe cannot be replaced by a file.
  return isSpecial(file) ? openFile(file) : openFile(`${file}.part`, file);
}

async function openFile(path: string, finalName?: string): Promise<Output> {
  const handle = await openForWriting(path);
  let isWhole = false;
  return {
    write: (text) => tryToWrite(path, () => handle.writeFile(text)),
    finish: async () => {
      if (finalName !== undefined) {
        await handle.sync();
        await rename(path, finalName);
      }
      isWhole = true;
    },
    [Symbol.asyncDispose]: async () => {
      await handle.close();
      if (!isWhole && finalName !== undefined) await rm(path, { force: true });
    },
  };
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
  const details = statSync(file, { throwIfNoEntry: false });
  return details !== undefined && !details.isFile();
}
