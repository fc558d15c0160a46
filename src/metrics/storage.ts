import type { MetricsMaker } from "./create.ts";

/** Metrics of commits to disk. */
export function commitMetrics(create: MetricsMaker) {
  return {
    commitSeconds: create.histogram("parley_commit_seconds", "Time a group commit took"),
    commitGroupSize: create.histogram("parley_commit_group_size", "Writes that shared one commit", {
      buckets: [1, 2, 4, 8, 16, 32, 64, 128, 256],
    }),
  };
}

/** How storage is. */
export function storageMetrics(create: MetricsMaker) {
  return {
    storageFailed: create.gauge(
      "parley_storage_failed",
      "1 once nothing is acknowledged any more, by kind: moved, damaged or unreliable",
      ["kind"],
    ),
    storageSoundAt: create.gauge(
      "parley_storage_sound_timestamp_seconds",
      "When a check of every page last found the database sound; 0 before the first since the start",
    ),
    databaseBytes: create.gauge(
      "parley_database_bytes",
      "Size of the database, by file: database or log (write-ahead)",
      ["file"],
    ),
    diskFreeBytes: create.gauge("parley_disk_free_bytes", "Free space on the disk of the data folder"),
    uncountedTurns: create.gauge(
      "parley_turns_uncounted",
      "Messages that were answered and are not counted yet for the console and events of turns",
    ),
    assetsUnstored: create.gauge(
      "parley_assets_unstored",
      "1 while this server's files of the widget and the console could not be stored: pages that are open may lose them in an upgrade",
    ),
    expiryStopped: create.gauge(
      "parley_expiry_stopped",
      "1 while nothing is deleted for its age, because the clock has jumped ahead",
    ),
  };
}

/** Metrics of scheduled backups. */
export function backupMetrics(create: MetricsMaker) {
  return {
    lastBackup: create.gauge(
      "parley_backup_last_success_timestamp_seconds",
      "When the newest scheduled backup was made, since 1970; 0 where there is none",
    ),
    backupInterval: create.gauge(
      "parley_backup_interval_seconds",
      "How often scheduled backups are made; 0 where none are",
    ),
    backupFailures: create.counter("parley_backup_failures_total", "Scheduled backups that failed"),
  };
}
