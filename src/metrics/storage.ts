import { Counter, Gauge, Histogram, type Registry } from "prom-client";

import { SECONDS } from "./messages.ts";

/** Metrics of commits to disk. */
export function commitMetrics(registers: Registry[]) {
  return {
    commitSeconds: new Histogram({
      name: "parley_commit_seconds",
      help: "Time a group commit took",
      buckets: SECONDS,
      registers,
    }),
    commitGroupSize: new Histogram({
      name: "parley_commit_group_size",
      help: "Writes that shared one commit",
      buckets: [1, 2, 4, 8, 16, 32, 64, 128, 256],
      registers,
    }),
  };
}

/** How storage is. */
export function storageMetrics(registers: Registry[]) {
  return {
    storageFailed: new Gauge({
      name: "parley_storage_failed",
      help: "1 once nothing is acknowledged any more, by kind: moved, damaged or unreliable",
      labelNames: ["kind"],
      registers,
    }),
    storageSoundAt: new Gauge({
      name: "parley_storage_sound_timestamp_seconds",
      help: "When a check of every page last found the database sound; 0 before the first since the start",
      registers,
    }),
    databaseBytes: new Gauge({
      name: "parley_database_bytes",
      help: "Size of the database, by file: database or log (write-ahead)",
      labelNames: ["file"],
      registers,
    }),
    diskFreeBytes: new Gauge({
      name: "parley_disk_free_bytes",
      help: "Room on the disk of the data folder",
      registers,
    }),
    uncountedTurns: new Gauge({
      name: "parley_turns_uncounted",
      help: "Messages that were answered and are not counted yet for the console and events of turns",
      registers,
    }),
    assetsUnstored: new Gauge({
      name: "parley_assets_unstored",
      help: "1 while this server's files of the widget and the console could not be stored: pages that are open may lose them in an upgrade",
      registers,
    }),
    expiryStopped: new Gauge({
      name: "parley_expiry_stopped",
      help: "1 while nothing is deleted for its age, because the clock has jumped ahead",
      registers,
    }),
  };
}

/** Metrics of scheduled backups. */
export function backupMetrics(registers: Registry[]) {
  return {
    lastBackup: new Gauge({
      name: "parley_backup_last_success_timestamp_seconds",
      help: "When the newest scheduled backup was made, since 1970; 0 where there is none",
      registers,
    }),
    backupInterval: new Gauge({
      name: "parley_backup_interval_seconds",
      help: "How often scheduled backups are made; 0 where none are",
      registers,
    }),
    backupFailures: new Counter({
      name: "parley_backup_failures_total",
      help: "Scheduled backups that failed",
      registers,
    }),
  };
}
