import { cpSync } from "node:fs";
import { basename, join } from "node:path";

import { SQL } from "bun";

import { parseStoreAddress } from "../../src/config/store-address.ts";
import type { Now } from "../../src/domain/time.ts";
import type { Store } from "../../src/store/interface/store.ts";
import { PostgresStore } from "../../src/store/postgres/postgres-store.ts";
import { Sqlite } from "../../src/store/sqlite/driver.ts";
import { SqliteStore } from "../../src/store/sqlite/sqlite-store.ts";
import { createPostgresDatabase, whyNoPostgres } from "./postgres-server.ts";

/** The store of the contract tests: `STORE_UNDER_TEST=postgres`, or SQLite by default. */
export const isOnPostgres = process.env["STORE_UNDER_TEST"] === "postgres";

if (isOnPostgres && whyNoPostgres !== undefined) throw new Error(whyNoPostgres);

/** A store, with the settings by which a server or a command uses the same one. */
export interface TestStore {
  store: Store;
  flags: { data: string; store?: string };
  /** Opens the store once more, as another process would. */
  openAnother: () => Promise<Store>;
  /** Runs a statement that both engines accept. @returns its rows */
  runSql: (statement: string) => Promise<object[]>;
  /** To be called when every user has closed it. */
  drop: () => Promise<void>;
}

/** Keeps a test's stored data in a folder of that name, for the script that asked for it. */
function keep(dataDir: string): void {
  const folder = process.env["KEEP_TEST_STORES"];
  if (folder !== undefined) cpSync(dataDir, join(folder, basename(dataDir)), { recursive: true });
}

/** Opens a new store of the tested kind. */
export async function openTestStore(dataDir: string, now: Now): Promise<TestStore> {
  if (!isOnPostgres) {
    const open = () => new SqliteStore({ dataDir, now, busyTimeoutMs: 5000 });
    return {
      store: open(),
      flags: { data: dataDir },
      openAnother: async () => open(),
      runSql: async (statement) => runOnFile(join(dataDir, "parley.db"), statement),
      drop: async () => keep(dataDir),
    };
  }
  const { url, drop } = await createPostgresDatabase();
  const openAnother = () => PostgresStore.open({ address: parseStoreAddress(url), now });
  return {
    store: await openAnother(),
    flags: { data: dataDir, store: url },
    openAnother,
    runSql: (statement) => runOnServer(url, statement),
    drop,
  };
}

function runOnFile(file: string, statement: string): object[] {
  const db = new Sqlite(file);
  try {
    const prepared = db.prepare<[], object>(statement);
    if (prepared.reader) return prepared.all();
    prepared.run();
    return [];
  } finally {
    db.close();
  }
}

async function runOnServer(url: string, statement: string): Promise<object[]> {
  await using sql = new SQL(url, { max: 1 });
  return (await sql.unsafe(statement)) as object[];
}
