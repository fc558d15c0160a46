import type { Config } from "../config/config.ts";
import type { StoreAddress } from "../config/store-address.ts";
import { osUser } from "../domain/os-user.ts";
import { type EpochMs, type Now, DAY_MS } from "../domain/time.ts";
import { describeVersion } from "../domain/version.ts";
import { eraseDeletedBehind } from "../operate/erase.ts";
import { STORAGE_FAILURE_KINDS } from "../store/interface/health.ts";
import type { Store } from "../store/interface/store.ts";
import { keepLease } from "../store/keep-lease.ts";
import { LEASE_TIMES } from "../store/lease-observer.ts";
import { PostgresStore, SERVER_PATIENCE } from "../store/postgres/postgres-store.ts";
import { SparingTurnStore } from "../store/sparing-turn-store.ts";
import { sweepExpired } from "../store/sweep-expired.ts";
import type { TurnStore } from "../store/turn-store.ts";
import { UnusableDatabaseError } from "../store/unusable-database.ts";
import type { ServerStore, ServerStoreParts } from "./open-store.ts";
import { openSqliteServerStore } from "./sqlite-server-store.ts";
import type { World } from "./world.ts";

/** How much longer than it should a text may stay in memory if texts are not stored. */
const FORGET_EVERY_MS = 60_000;

/** Opens the store of a server, whose commits and failures are counted and logged. @throws UnusableDatabaseError */
export async function openServerStore(
  config: Config,
  parts: ServerStoreParts,
  world: World,
): Promise<ServerStore> {
  for (const kind of STORAGE_FAILURE_KINDS) world.metrics.storageFailed.set({ kind }, 0);
  const { store: address } = config;
  return address === undefined
    ? openSqliteServerStore(config, parts, world)
    : openPostgresServerStore(address, config, parts, world);
}

/** Counts the start of a server, and notes its settings and version if they have changed. */
export async function noteStart(store: Store, config: Config, { metrics }: World): Promise<void> {
  metrics.starts.inc(await store.noteStart({ version: describeVersion(), ...config }));
}

/** The store for the path of a message: the store itself, or a filter in front of it that removes texts. */
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

/** Deletes expired data and the data of deleted bots, renews the lease, and does what the engine needs. @returns how to stop each. */
export function tendStore(
  { store, tend }: ServerStore,
  config: Config,
  { lease = LEASE_TIMES }: ServerStoreParts,
  { log, metrics, now, steadyNow }: World,
): (() => void)[] {
  return [
    ...tend(),
    sweepExpired({
      store,
      log,
      now,
      steadyNow,
      conversationsNotBefore: expiryOf(config, now),
      onStopped: (isStopped) => metrics.expiryStopped.set(Number(isStopped)),
    }),
    eraseDeletedBehind({ store, log }),
    keepLease({ store, log, metrics, steadyNow }, lease),
  ];
}

/** Connects a server to its database. @throws UnusableDatabaseError */
async function openPostgresServerStore(
  address: StoreAddress,
  { mustExist }: Config,
  { lease = LEASE_TIMES, onUpgrade }: ServerStoreParts,
  { now, metrics, log }: World,
): Promise<ServerStore> {
  if (mustExist && !(await PostgresStore.isThere(address))) {
    throw new UnusableDatabaseError(
      `there is nothing of Parley in ${address.shown}, and --must-exist begins nothing anew; see that it is the database that you want`,
    );
  }
  const store = await PostgresStore.open({
    address,
    now,
    lease,
    patience: SERVER_PATIENCE,
    onUpgrade: onUpgrade ?? ((line) => log.info(line)),
    by: { kind: "server", name: osUser(), command: "serve" },
    onCommit({ groupSize, milliseconds }) {
      metrics.commitSeconds.observe(milliseconds / 1000);
      metrics.commitGroupSize.observe(groupSize);
    },
  });
  // PostgreSQL looks after its files, and is backed up by its own tools.
  return { store, tend: () => [] };
}
