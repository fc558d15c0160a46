import { existsSync } from "node:fs";
import { join } from "node:path";

import type { Config } from "../config/config.ts";
import { osUser } from "../domain/os-user.ts";
import type { EpochMs, Now } from "../domain/time.ts";
import { describeVersion } from "../domain/version.ts";
import { backUpInProcess } from "../store/backup/backup-process.ts";
import { removeAbandonedParts } from "../store/backup/part-file.ts";
import { ScheduledBackups } from "../store/backup/scheduled-backups.ts";
import { STORAGE_FAILURE_KINDS } from "../store/health.ts";
import { keepLease } from "../store/keep-lease.ts";
import { LEASE_TIMES, type LeaseTimes } from "../store/lease-observer.ts";
import { holdsDatabase, newDatabaseWarning, refuseNewDatabase } from "../store/marker.ts";
import { SparingTurnStore } from "../store/sparing-turn-store.ts";
import { Store } from "../store/store.ts";
import { sweepExpired } from "../store/sweep-expired.ts";
import type { TurnStore } from "../store/turn-store.ts";
import { watchStorage } from "../store/watch-storage.ts";
import type { World } from "./world.ts";

/** What tests replace. */
export interface ServerStoreParts {
  /** How servers on one folder tell that one of them is gone. */
  lease?: LeaseTimes;
  /** When the database is first checked for damage, after the start. */
  firstCheckAfterMs?: number;
}

const DAY_MS = 24 * 60 * 60 * 1000;
/** How much longer than it should a text may stay in memory, where it is on no disk. */
const FORGET_EVERY_MS = 60_000;

/** Opens the store of a server, whose commits and failures are counted and logged. @throws UnusableDatabaseError */
export function openServerStore(
  { data, mustExist }: Config,
  { lease = LEASE_TIMES }: ServerStoreParts,
  { now, metrics, log }: World,
): Store {
  if (mustExist) refuseNewDatabase(data);
  const isNew = data !== ":memory:" && !holdsDatabase(join(data, "parley.db"));
  for (const kind of STORAGE_FAILURE_KINDS) metrics.storageFailed.set({ kind }, 0);
  const store = new Store({
    dataDir: data,
    now,
    lease,
    by: { kind: "server", name: osUser(), command: "serve" },
    busyTimeoutMs: 0,
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
  if (data !== ":memory:") clearAbandonedParts(data, { now, log });
  return store;
}

/** Takes away what killed backups and restores left. Where that fails, the server starts all the same. */
function clearAbandonedParts(data: string, { now, log }: Pick<World, "now" | "log">): void {
  for (const folder of [data, join(data, "backups")]) {
    try {
      if (existsSync(folder)) removeAbandonedParts(folder, now);
    } catch (error) {
      log.warn({ err: error, folder }, "unfinished copies of killed backups could not be looked for");
    }
  }
}

/** Counts the start of a server, and notes its settings and version where they have changed. */
export async function noteStart(store: Store, config: Config, { metrics }: World): Promise<void> {
  metrics.starts.inc(await store.noteStart({ version: describeVersion(), ...config }));
}

/** What the path of a message stores by: the store itself, unless it is to be given less than was said. */
export function openTurns(
  store: Store,
  { storeMessages, redact }: Config,
  { steadyNow }: World,
): { store: TurnStore; stopForgetting: () => void } {
  if (storeMessages === "all" && redact.length === 0) return { store, stopForgetting: () => {} };
  const sparing = new SparingTurnStore(store, { messages: storeMessages, redact }, steadyNow);
  const timer = setInterval(() => sparing.forgetOld(), FORGET_EVERY_MS);
  return { store: sparing, stopForgetting: () => clearInterval(timer) };
}

/** Conversations whose last turn is older than the instant that it returns have expired. */
export function expiryOf({ retentionDays }: Config, now: Now): () => EpochMs {
  return () => (retentionDays === undefined ? 0 : now() - retentionDays * DAY_MS);
}

/** Watches the files, deletes what has expired, renews the lease, and makes backups. @returns how to stop each. */
export function tendStore(
  store: Store,
  config: Config,
  { lease = LEASE_TIMES, firstCheckAfterMs }: ServerStoreParts,
  world: World,
): (() => void)[] {
  const { log, metrics, now, steadyNow } = world;
  return [
    watchStorage({
      store,
      log,
      onSound: () => metrics.storageSoundAt.setToCurrentTime(),
      ...(firstCheckAfterMs !== undefined && { firstCheckAfterMs }),
    }),
    sweepExpired({
      store,
      log,
      now,
      steadyNow,
      conversationsNotBefore: expiryOf(config, now),
      onStopped: (isStopped) => metrics.expiryStopped.set(Number(isStopped)),
    }),
    keepLease({ store, log, metrics, steadyNow }, lease),
    backUpOnSchedule(store, config, world),
  ];
}

/** Makes backups as often as is configured. @returns how to stop it. */
function backUpOnSchedule(
  { health }: Pick<Store, "health">,
  { data, backupEvery, backupKeep: keep }: Config,
  world: World,
): () => void {
  world.metrics.backupInterval.set((backupEvery ?? 0) / 1000);
  if (backupEvery === undefined || data === ":memory:") return () => {};
  const makeBackup = (file: string, signal: AbortSignal) => backUpInProcess({ dataDir: data, file, signal });
  const schedule = { dataDir: data, health, everyMs: backupEvery, keep, makeBackup };
  return new ScheduledBackups({ ...world, ...schedule }).start();
}
