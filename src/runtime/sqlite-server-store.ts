import { existsSync } from "node:fs";
import { join } from "node:path";

import type { Config } from "../config/config.ts";
import { osUser } from "../domain/os-user.ts";
import { LEASE_TIMES } from "../store/lease-observer.ts";
import { backUpInProcess } from "../store/sqlite/backup/backup-process.ts";
import { removeAbandonedParts } from "../store/sqlite/backup/part-file.ts";
import { ScheduledBackups } from "../store/sqlite/backup/scheduled-backups.ts";
import { holdsDatabase, newDatabaseWarning, refuseNewDatabase } from "../store/sqlite/marker.ts";
import {
  describeNetworkFileSystem,
  NETWORK_FILE_SYSTEM_CURE,
  networkFileSystemOf,
} from "../store/sqlite/network-file-system.ts";
import { SqliteStore } from "../store/sqlite/sqlite-store.ts";
import { watchStorage } from "../store/sqlite/watch-storage.ts";
import type { ServerStore, ServerStoreParts } from "./open-store.ts";
import type { World } from "./world.ts";

/** Opens the data folder for a server. @throws UnusableDatabaseError */
export function openSqliteServerStore(config: Config, parts: ServerStoreParts, world: World): ServerStore {
  const { data, mustExist } = config;
  const { now, metrics, log } = world;
  const { lease = LEASE_TIMES, firstCheckAfterMs, fileSystemOf = networkFileSystemOf } = parts;
  if (mustExist) refuseNewDatabase(data);
  const isNew = data !== ":memory:" && !holdsDatabase(join(data, "parley.db"));
  const store = new SqliteStore({
    dataDir: data,
    now,
    lease,
    by: { kind: "server", name: osUser(), command: "serve" },
    busyTimeoutMs: 0,
    onUpgrade: parts.onUpgrade ?? ((line) => log.info(line)),
    onCommit({ groupSize, milliseconds }) {
      metrics.commitSeconds.observe(milliseconds / 1000);
      metrics.commitGroupSize.observe(groupSize);
    },
    onFailure({ kind, message, cause }) {
      metrics.storageFailed.set({ kind }, 1);
      log.fatal({ storage: kind, ...(cause !== undefined && { err: cause }) }, message);
    },
  });
  if (isNew) log.warn(newDatabaseWarning(data));
  if (data !== ":memory:") {
    warnOfNetwork(data, fileSystemOf(data), log);
    clearAbandonedParts(data, { now, log });
  }
  const tend = () => [
    watchStorage({
      store,
      log,
      onSound: () => metrics.storageSoundAt.setToCurrentTime(),
      ...(firstCheckAfterMs !== undefined && { firstCheckAfterMs }),
    }),
    backUpOnSchedule(store, config, world),
  ];
  return { store, tend };
}

function warnOfNetwork(data: string, network: string | undefined, log: Pick<World["log"], "warn">): void {
  if (network === undefined) return;
  log.warn(
    { fileSystem: network },
    `${describeNetworkFileSystem(data, network)}; ${NETWORK_FILE_SYSTEM_CURE}`,
  );
}

/** Removes the files that killed backups and restores left. If that fails, the server starts all the same. */
function clearAbandonedParts(data: string, { now, log }: Pick<World, "now" | "log">): void {
  for (const folder of [data, join(data, "backups")]) {
    try {
      if (existsSync(folder)) removeAbandonedParts(folder, now);
    } catch (error) {
      log.warn({ err: error, folder }, "unfinished copies of killed backups could not be looked for");
    }
  }
}

/** Makes backups as often as is configured. @returns how to stop it. */
function backUpOnSchedule(
  { health }: Pick<SqliteStore, "health">,
  { data, backupEvery, backupKeep: keep }: Config,
  world: World,
): () => void {
  world.metrics.backupInterval.set((backupEvery ?? 0) / 1000);
  if (backupEvery === undefined || data === ":memory:") return () => {};
  const makeBackup = (file: string, signal: AbortSignal) => backUpInProcess({ dataDir: data, file, signal });
  const schedule = { dataDir: data, health, everyMs: backupEvery, keep, makeBackup };
  return new ScheduledBackups({ ...world, ...schedule }).start();
}
