import { existsSync } from "node:fs";
import { join } from "node:path";

import type { Config } from "../config/config.ts";
import { didYouMean } from "../domain/closest-name.ts";
import type { StoredBot } from "../store/interface/bots.ts";
import type { Store } from "../store/interface/store.ts";
import { PostgresStore } from "../store/postgres/postgres-store.ts";
import { isMarked } from "../store/sqlite/marker.ts";
import { SqliteStore } from "../store/sqlite/sqlite-store.ts";
import { refuseUnusableFolder } from "../store/sqlite/usable-folder.ts";
import { InputError, UsageError } from "./exit-code.ts";
import type { Terminal } from "./terminal.ts";

/** How long a command waits for the database lock of a server or another command. */
const BUSY_TIMEOUT_MS = 5000;

/** The clock, the author of changes, and who is told of an upgrade. */
type StoreTerminal = Pick<Terminal, "now"> & Partial<Pick<Terminal, "actor" | "say">>;

/** The settings that name the store's location. */
export type StorePlace = Pick<Config, "data"> & Partial<Pick<Config, "store">>;

/**
 * Opens the store for one command; the caller closes it.
 *
 * @throws UnusableDatabaseError
 */
export async function openStore(
  { now, actor, say }: StoreTerminal,
  { data, store }: StorePlace,
): Promise<Store> {
  const options = { now, onUpgrade: say, ...(actor && { by: actor() }) };
  if (store) return PostgresStore.open({ address: store, ...options });
  return new SqliteStore({ dataDir: data, ...options, busyTimeoutMs: BUSY_TIMEOUT_MS });
}

/** Like `openStore`, for commands that do not change the store: an empty store is not created. */
export async function openStoreForTrial(terminal: StoreTerminal, place: StorePlace): Promise<Store> {
  return openStore(terminal, (await isStoreThere(place)) ? place : { data: ":memory:" });
}

/**
 * Like `openStore`, for commands that need existing data: a mistyped location is reported instead of created.
 *
 * @throws UsageError if it contains no Parley data.
 */
export async function openExistingStore(terminal: StoreTerminal, place: StorePlace): Promise<Store> {
  await requireStore(place);
  return openStore(terminal, place);
}

/** @throws UsageError if the location contains no Parley data. */
export async function requireStore(place: StorePlace): Promise<void> {
  if (!(await isStoreThere(place))) throw nothingThere(place);
}

/**
 * The path of the folder's database file, for commands that read it without the store.
 *
 * @throws UsageError if the folder contains no database.
 */
export function requireDatabase(config: Pick<Config, "data">): string {
  if (holdsDatabase(config)) return join(config.data, "parley.db");
  throw nothingThere(config);
}

/** @throws UsageError if the store is PostgreSQL, which has its own tools for this. */
export function refusePostgres({ store }: Partial<Pick<Config, "store">>, instead: string): void {
  if (store) throw new UsageError(`${store.shown} is a PostgreSQL database: ${instead}`);
}

function nothingThere({ data, store }: StorePlace): UsageError {
  if (store) return new UsageError(`${store.shown} contains no Parley data; create it with \`parley seed\``);
  return new UsageError(
    `there is no Parley database in ${data}; give the folder with --data, or create one with \`parley seed\``,
  );
}

function isStoreThere({ data, store }: StorePlace): boolean | Promise<boolean> {
  return store ? PostgresStore.isThere(store) : holdsDatabase({ data });
}

/** True also if the database was lost: opening it then reports that. @throws UnusableDatabaseError if the folder cannot be read. */
function holdsDatabase({ data }: Pick<Config, "data">): boolean {
  const file = join(data, "parley.db");
  refuseUnusableFolder(file);
  return existsSync(file) || isMarked(file);
}

/** @throws InputError if there is no such bot. */
export async function getBot({ bots }: Pick<Store, "bots">, id: string): Promise<StoredBot> {
  const bot = await bots.find(id);
  if (bot) return bot;
  const ids = (await bots.list()).map((known) => known.id);
  throw new InputError(
    ids.length === 0
      ? `no bot \`${id}\`: there are none yet; add some with \`parley seed\``
      : `no bot \`${id}\`${didYouMean(id, ids)}`,
  );
}
