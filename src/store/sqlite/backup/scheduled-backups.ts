import { readdirSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";

import type { Logger } from "pino";

import type { EpochMs, Now } from "../../../domain/time.ts";
import type { StorageHealth } from "../health.ts";
import { newestScheduled, openBackupsFolder, scheduledName, surplusBackups } from "./backup-names.ts";

/** The parts of a running server that the schedule uses. */
export interface ScheduleParts {
  dataDir: string;
  /** Once storage has failed, no backup is made or deleted: the file at the path may not be the one that was served. */
  health: Pick<StorageHealth, "failure">;
  /** A backup is due once the newest is older. */
  everyMs: number;
  /** Number of scheduled backups that are kept. */
  keep: number;
  now: Now;
  log: Pick<Logger, "info" | "error">;
  metrics: {
    /** Seconds since 1970. */
    lastBackup: { set: (at: number) => void };
    backupFailures: { inc: () => void };
  };
  /** Makes one verified backup. @throws if it could not. */
  makeBackup: (file: string, signal: AbortSignal) => Promise<void>;
}

/** Delay after the start, so that the server answers before it copies. Chosen by hand. */
const FIRST_LOOK_MS = 1000;
const LOOK_EVERY_MS = 30_000;
/** A backup that failed is tried again after this time, or when the next is due, whichever is first. Chosen by hand. */
const RETRY_MS = 10 * 60_000;

/**
 * Makes a backup whenever the newest in `<data>/backups` is older than the interval, so that a restart neither repeats nor delays one.
 * Older ones are deleted once a new one is verified; files with other names stay. A failure is logged and counted, and affects nothing
 * else.
 */
export class ScheduledBackups {
  readonly #parts: ScheduleParts;
  readonly #stopping = new AbortController();
  #failedAt = Number.NEGATIVE_INFINITY;
  #isRunning = false;

  constructor(parts: ScheduleParts) {
    this.#parts = parts;
  }

  /** @returns a function that stops it and cancels a backup in progress. */
  start(): () => void {
    const look = () => void this.look();
    const first = setTimeout(look, FIRST_LOOK_MS);
    const timer = setInterval(look, LOOK_EVERY_MS);
    return () => {
      clearTimeout(first);
      clearInterval(timer);
      this.#stopping.abort();
    };
  }

  /** Makes a backup if one is due. Resolves once it is made, or has failed. */
  async look(): Promise<void> {
    if (this.#isRunning || this.#parts.health.failure) return;
    this.#isRunning = true;
    try {
      await this.#backUpIfDue();
    } catch (error) {
      this.#tellFailure(error);
    } finally {
      this.#isRunning = false;
    }
  }

  async #backUpIfDue(): Promise<void> {
    const { dataDir, everyMs, now, metrics } = this.#parts;
    const at = now();
    // The absolute difference, so that a clock that was set back does not delay the next try.
    if (Math.abs(at - this.#failedAt) < Math.min(RETRY_MS, everyMs)) return;
    const folder = openBackupsFolder(dataDir);
    const newest = newestScheduled(readdirSync(folder), at);
    if (newest !== undefined) metrics.lastBackup.set(newest / 1000);
    if (newest === undefined || at - newest >= everyMs) await this.#backUp(folder, at);
  }

  async #backUp(folder: string, at: EpochMs): Promise<void> {
    const { keep, health, log, metrics, makeBackup } = this.#parts;
    const startedAt = performance.now();
    const name = scheduledName(at);
    const file = join(folder, name);
    await makeBackup(file, this.#stopping.signal);
    metrics.lastBackup.set(at / 1000);
    const milliseconds = Math.round(performance.now() - startedAt);
    const deleted = health.failure ? [] : surplusBackups(readdirSync(folder), name, keep);
    for (const old of deleted) rmSync(join(folder, old));
    log.info({ file, bytes: statSync(file).size, milliseconds, deleted }, "backup made and verified");
  }

  #tellFailure(error: unknown): void {
    if (this.#stopping.signal.aborted) return;
    const { log, metrics, now } = this.#parts;
    this.#failedAt = now();
    metrics.backupFailures.inc();
    log.error({ err: error }, "the scheduled backup failed; it is tried again, and older backups stay");
  }
}
