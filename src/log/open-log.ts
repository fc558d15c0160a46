import pino, { type Logger } from "pino";

import type { LogLevel } from "../config/parsers.ts";
import { LineWriter } from "./line-writer.ts";

/** The log of a server: JSON lines, written in the background. */
export interface ServerLog {
  log: Logger;
  /** Resolves when every line is written, or after the deadline. */
  flush: (deadlineMs: number) => Promise<void>;
}

const STDOUT = 1;

/** Opens the log on stdout. If a reader stalls or a device is full, requests do not wait: lines are dropped and counted. */
export function openLog(level: LogLevel, onDrop: () => void): ServerLog {
  const writer = new LineWriter({
    descriptor: STDOUT,
    onDrop,
    onRoom: (lines) => log.warn({ lines }, `${lines} lines were dropped, because the log was not read`),
  });
  const log = pino({ level }, writer);
  return { log, flush: (deadlineMs) => writer.flush(deadlineMs) };
}
