import type { StoreAddress } from "../../config/store-address.ts";
import type { Actor } from "../../domain/change.ts";
import type { Now } from "../../domain/time.ts";
import { LEASE_TIMES, type LeaseTimes } from "../lease-observer.ts";
import { Connection, type Queries } from "../postgres/connection.ts";
import { postgresFailure } from "../postgres/failure.ts";
import { COMMAND_PATIENCE, PostgresStore } from "../postgres/postgres-store.ts";
import type { OnCopy } from "../sqlite/backup/backup-database.ts";
import { sqliteCode } from "../sqlite/failure.ts";
import type { TableShape } from "./catalogue.ts";
import { LEFT_OUT } from "./differences.ts";
import { CopyError } from "./errors.ts";
import { describePostgres } from "./postgres-side.ts";

/** Cancels a copy between two steps, and receives its progress. */
export interface Reins {
  onCopy?: OnCopy;
  signal?: AbortSignal;
}

interface SettleOptions extends Reins {
  address: StoreAddress;
  now: Now;
  by: Actor;
  lease?: LeaseTimes;
}

interface Heartbeat {
  id: string;
  heartbeat: number;
}

/** A PostgreSQL database as the source of a copy, inside a transaction in which no other process writes. */
export interface PostgresSource {
  queries: Queries;
  shapes: readonly TableShape[];
}

/**
 * Runs the work while no server runs on the database and no other process writes to it. The database changes in two ways only: it is migrated
 * to this version, and unfinished turns of a killed server are given back.
 *
 * @throws CopyError if a server runs on it, or it is empty.
 * @throws UnusableDatabaseError if it cannot be used.
 */
export async function withPostgresSource<Result>(
  options: SettleOptions,
  work: (source: PostgresSource) => Promise<Result>,
): Promise<Result> {
  const { address } = options;
  if (!(await PostgresStore.isThere(address)))
    throw new CopyError(`there is nothing of Parley in ${address.shown}`);
  await using connection = new Connection(address, COMMAND_PATIENCE.deadlineMs);
  try {
    await settle(connection, options);
    return await connection.transaction(async (queries) => {
      const shapes = await describePostgres(queries);
      const names = shapes.map(({ name }) => name).filter((name) => !LEFT_OUT.notes.includes(name));
      await queries.query(`LOCK TABLE ${names.map((name) => `"${name}"`).join(", ")} IN SHARE MODE`);
      if ((await listServers(queries)).length > 0) throw isServed(address);
      return work({ queries, shapes });
    });
  } catch (error) {
    // A full disk of the other side is not a failure of PostgreSQL.
    throw sqliteCode(error) === undefined ? postgresFailure(error) : error;
  }
}

/** Waits until the leases of killed servers have run out, and gives back their unfinished turns. */
async function settle(
  connection: Connection,
  { address, now, by, onCopy, signal, lease = LEASE_TIMES }: SettleOptions,
): Promise<void> {
  await using store = await PostgresStore.open({ address, now, by, lease });
  const found = new Map((await listServers(connection)).map(({ id, heartbeat }) => [id, heartbeat]));
  const startedAt = performance.now();
  for (;;) {
    const servers = await listServers(connection);
    if (servers.length === 0) return;
    if (servers.some(({ id, heartbeat }) => found.get(id) !== heartbeat)) throw isServed(address);
    signal?.throwIfAborted();
    onCopy?.("waiting", Math.min(1, (performance.now() - startedAt) / lease.leaseMs));
    await store.renewLease(() => performance.now());
    await Bun.sleep(lease.beatEveryMs);
  }
}

function listServers(queries: Queries): Promise<Heartbeat[]> {
  return queries.query<Heartbeat>("SELECT id, heartbeat::float8 AS heartbeat FROM instances");
}

function isServed({ shown }: StoreAddress): CopyError {
  return new CopyError(`a server runs on ${shown}; stop it, and try again`);
}
