import { readFileSync } from "node:fs";

import { InvalidArgumentError } from "@commander-js/extra-typings";

import { fileFault } from "../domain/file-fault.ts";
import { type EpochMs, type Now, parseDuration } from "../domain/time.ts";
import { InputError } from "./exit-code.ts";
import type { Terminal } from "./terminal.ts";

const DATE = /^\d{4}-\d{2}-\d{2}(T\d{2}:\d{2}(:\d{2})?Z)?$/;

/** The instant of a UTC date such as `2027-01-31` or `2027-01-31T12:00Z`; undefined if the text is not a date. */
function parseDate(text: string): EpochMs | undefined {
  if (!DATE.test(text)) return undefined;
  const at = Date.parse(text);
  // `Date` turns a day that does not exist, such as 31 April, into one of the next month.
  return new Date(at).getUTCDate() === Number(text.slice(8, 10)) ? at : undefined;
}

/** Parses an option for a past instant: `7d` is seven days ago; a date is its start in UTC. */
export function pastParser(now: Now): (text: string) => EpochMs {
  return (text) => {
    const durationMs = parseDuration(text);
    const at = durationMs === undefined ? parseDate(text) : now() - durationMs;
    if (at !== undefined) return at;
    throw new InvalidArgumentError(
      "Use a duration back from now such as 7d, 12h or 2w, or a date such as 2026-11-01.",
    );
  };
}

/**
 * Parses a duration from `now` (`90d`, `12h`, `2w`, `30m`) or a UTC date (`2027-01-31`, `2027-01-31T12:00Z`).
 *
 * @throws Error if the text is neither, or the instant is past.
 */
export function parseExpiry(text: string, now: EpochMs): EpochMs {
  const durationMs = parseDuration(text);
  const at = durationMs === undefined ? parseDate(text) : now + durationMs;
  if (at === undefined)
    throw new Error("Use a duration such as 90d, 12h or 2w, or a date such as 2027-01-31.");
  if (at <= now) throw new Error("It has to be in the future.");
  return at;
}

/** Reads the value of an option that says how many of something are shown. */
export function parseCount(text: string): number {
  const count = Number(text);
  if (Number.isSafeInteger(count) && count > 0) return count;
  throw new InvalidArgumentError("Use a number of 1 or more.");
}

/** The bytes of a file, or of standard input for `-`. @throws InputError if it cannot be read, or is larger. */
export async function readInput(
  { readStdin }: Pick<Terminal, "readStdin">,
  file: string,
  mostBytes: number,
): Promise<Uint8Array> {
  const bytes = file === "-" ? await readStdin(mostBytes) : readBytes(file);
  if (bytes.length > mostBytes)
    throw new InputError(`${file} is larger than ${mostBytes / 1024 / 1024} MiB; split it`);
  return bytes;
}

/** The bytes of a file. @throws InputError if it cannot be read. */
export function readBytes(file: string): Uint8Array {
  try {
    return readFileSync(file);
  } catch (error) {
    throw new InputError(`${file}: ${fileFault(error)}`);
  }
}
