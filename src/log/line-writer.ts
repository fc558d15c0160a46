import { write } from "node:fs";

import { waitAtMost } from "../domain/waiting.ts";

/** Writes bytes to a descriptor, as `fs.write` does; may take fewer than it was given. */
export type WriteBytes = (descriptor: number, bytes: Uint8Array) => Promise<number>;

export interface LineWriterOptions {
  descriptor: number;
  /** Called for each line that was dropped for lack of room. */
  onDrop: () => void;
  /** Called with the number of lines dropped since the last call, as soon as there is room for a line that reports it. */
  onRoom: (dropped: number) => void;
  writeBytes?: WriteBytes;
}

/** Bytes that may wait: about 4,000 log lines, some seconds of a busy server. */
export const MAX_WAITING = 1024 * 1024;
/** Bytes of one write: what a pipe of Linux takes at once. */
const BATCH = 64 * 1024;
/** Bytes in UTF-8 of a UTF-16 unit, at most. */
const MAX_BYTES = 3;
/** Lines of this span share one write: a write costs as much as twenty lines. */
const GATHER_MS = 10;
/** A pipe that is full is tried again after this. */
const FULL_PIPE_MS = 20;
/** A device that is full, or fails otherwise, is tried again after this. */
const FAILED_MS = 1000;

/**
 * Writes lines to a descriptor in the background. Callers never wait for it, and it holds no more than {@link MAX_WAITING}
 * bytes: if a reader stalls or a device is full, further lines are dropped and counted. A line is converted to bytes immediately,
 * which costs less than keeping a string that consists of many pieces.
 */
export class LineWriter {
  readonly #options: Required<LineWriterOptions>;
  /** Takes the lines that come. */
  readonly #open = Buffer.allocUnsafeSlow(BATCH);
  #filled = 0;
  /** Batches that are to be written, the oldest first. */
  readonly #closed: Buffer[] = [];
  /** Bytes that wait, those that are being written included. */
  #waiting = 0;
  #dropped = 0;
  #draining: Promise<void> | undefined;

  constructor(options: LineWriterOptions) {
    this.#options = { writeBytes, ...options };
  }

  /** Takes a line, with its line end. */
  write(line: string): void {
    if (this.#waiting + line.length > MAX_WAITING) {
      this.#dropped += 1;
      this.#options.onDrop();
      return;
    }
    this.#tellDropped();
    this.#waiting += this.#append(line);
    this.#draining ??= this.#drain();
  }

  /** Resolves when every line is written, or after the deadline. */
  async flush(deadlineMs: number): Promise<void> {
    await waitAtMost(this.#draining, deadlineMs);
  }

  /** The callback logs a line, which arrives here again through `write`. */
  #tellDropped(): void {
    const dropped = this.#dropped;
    this.#dropped = 0;
    if (dropped > 0) this.#options.onRoom(dropped);
  }

  /** @returns how many bytes the line is. */
  #append(line: string): number {
    const most = line.length * MAX_BYTES;
    if (this.#filled + most > BATCH) this.#closeBatch();
    if (most > BATCH) {
      const bytes = Buffer.from(line);
      this.#closed.push(bytes);
      return bytes.length;
    }
    const length = this.#open.write(line, this.#filled);
    this.#filled += length;
    return length;
  }

  #closeBatch(): void {
    if (this.#filled === 0) return;
    this.#closed.push(Buffer.from(this.#open.subarray(0, this.#filled)));
    this.#filled = 0;
  }

  async #drain(): Promise<void> {
    await sleepUnwatched(GATHER_MS);
    while (this.#waiting > 0) {
      if (this.#closed.length === 0) this.#closeBatch();
      const batch = this.#closed.shift()!;
      await this.#writeAll(batch);
      this.#waiting -= batch.length;
      this.#tellDropped();
    }
    this.#draining = undefined;
  }

  /** Tries until it is done: a reader may come back, a device may be emptied. */
  async #writeAll(bytes: Uint8Array): Promise<void> {
    const { descriptor, writeBytes: tryToWrite } = this.#options;
    let rest = bytes;
    while (rest.length > 0) {
      try {
        rest = rest.subarray(await tryToWrite(descriptor, rest));
      } catch (error) {
        // This failure cannot be logged, because the log itself has failed; only the metric shows it.
        const isFullPipe = (error as NodeJS.ErrnoException).code === "EAGAIN";
        await sleepUnwatched(isFullPipe ? FULL_PIPE_MS : FAILED_MS);
      }
    }
  }
}

function writeBytes(descriptor: number, bytes: Uint8Array): Promise<number> {
  return new Promise((resolve, reject) => {
    write(descriptor, bytes, 0, bytes.length, null, (error, written) =>
      error ? reject(error) : resolve(written),
    );
  });
}

/** Keeps no process alive. */
function sleepUnwatched(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds).unref());
}
