import type { Config } from "../config/config.ts";
import type { StoreAddress } from "../config/store-address.ts";
import { osUser } from "../domain/os-user.ts";
import { LEASE_TIMES } from "../store/lease-observer.ts";
import { PostgresStore, SERVER_PATIENCE } from "../store/postgres/postgres-store.ts";
import { UnusableDatabaseError } from "../store/unusable-database.ts";
import type { ServerStore, ServerStoreParts } from "./open-store.ts";
import type { World } from "./world.ts";

/** Connects a server to its database. @throws UnusableDatabaseError */
export async function openPostgresServerStore(
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
