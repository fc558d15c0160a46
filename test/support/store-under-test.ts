import { parseStoreAddress } from "../../src/config/store-address.ts";
import type { Now } from "../../src/domain/time.ts";
import type { Store } from "../../src/store/interface/store.ts";
import { PostgresStore } from "../../src/store/postgres/postgres-store.ts";
import { SqliteStore } from "../../src/store/store.ts";
import { createPostgresDatabase, whyNoPostgres } from "./postgres-server.ts";

/** Which store the contract is tested on: `STORE_UNDER_TEST=postgres`, or SQLite's where nothing is said. */
export const isOnPostgres = process.env["STORE_UNDER_TEST"] === "postgres";

if (isOnPostgres && whyNoPostgres !== undefined) throw new Error(whyNoPostgres);

/** A store to look at, and the settings with which a server, or a command, uses the same. */
export interface TestStore {
  store: Store;
  flags: { data: string; store?: string };
  /** To be called when everybody has closed it. */
  drop: () => Promise<void>;
}

/** Opens a new store of the kind that is tested. */
export async function openTestStore(dataDir: string, now: Now): Promise<TestStore> {
  if (!isOnPostgres) {
    const store = new SqliteStore({ dataDir, now, busyTimeoutMs: 5000 });
    return { store, flags: { data: dataDir }, drop: async () => {} };
  }
  const { url, drop } = await createPostgresDatabase();
  const store = await PostgresStore.open({ address: parseStoreAddress(url), now });
  return { store, flags: { data: dataDir, store: url }, drop };
}
