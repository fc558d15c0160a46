import { closeSync, fdatasyncSync, openSync, rmSync, writeSync } from "node:fs";
import { join } from "node:path";

import { quantile } from "../load/plan.ts";

/** The least time of a durable message: the machine's time to sync a small append to disk. */
export interface SyncLatency {
  p50Ms: number;
  p99Ms: number;
}

const APPENDS = 400;
/** A page of the write-ahead log. */
const BYTES = 4096;

/** Times `fdatasync` after small appends to a file in `folder`. */
export function measureSync(folder: string): SyncLatency {
  const file = join(folder, "sync-probe");
  const descriptor = openSync(file, "w");
  const page = Buffer.alloc(BYTES, 1);
  const timesMs: number[] = [];
  try {
    for (let append = 0; append < APPENDS; append += 1) {
      writeSync(descriptor, page);
      const startedAt = performance.now();
      fdatasyncSync(descriptor);
      timesMs.push(performance.now() - startedAt);
    }
  } finally {
    closeSync(descriptor);
    rmSync(file);
  }
  timesMs.sort((a, b) => a - b);
  return { p50Ms: quantile(timesMs, 0.5), p99Ms: quantile(timesMs, 0.99) };
}
