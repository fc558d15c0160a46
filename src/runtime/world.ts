import type { Logger } from "pino";

import type { Config } from "../config/config.ts";
import { type RandomBytes, secureRandomBytes } from "../domain/ids.ts";
import type { Now } from "../domain/time.ts";
import { openLog } from "../log/open-log.ts";
import { type Metrics, createMetrics } from "../metrics.ts";

/** Parts that nearly all others use: clock, randomness, log and metrics. */
export interface World {
  now: Now;
  /** Of which only differences count; never set back. */
  steadyNow: Now;
  randomBytes: RandomBytes;
  log: Logger;
  /** Resolves when the log is written, or cannot be in time. */
  flushLog: () => Promise<void>;
  metrics: Metrics;
}

/** Parts that tests replace. */
export interface WorldParts {
  now?: Now;
  randomBytes?: RandomBytes;
  log?: Logger;
}

/** How long the last log lines may take to be written. */
const LAST_LINES_MS = 1000;

/** The world as the process has it, but for the parts that are given. */
export function openWorld({ logLevel }: Config, parts: WorldParts): World {
  const metrics = createMetrics();
  const { log, flush } = parts.log
    ? { log: parts.log, flush: async () => {} }
    : openLog(logLevel, () => metrics.droppedLogLines.inc());
  return {
    now: parts.now ?? Date.now,
    steadyNow: parts.now ?? (() => performance.now()),
    randomBytes: parts.randomBytes ?? secureRandomBytes,
    log,
    flushLog: () => flush(LAST_LINES_MS),
    metrics,
  };
}
