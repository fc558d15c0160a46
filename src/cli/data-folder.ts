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

/** How long a command waits while a server or another command writes. */
const BUSY_TIMEOUT_MS = 5000;

/** The time, who answers for changes, and who is told of an upgrade. */
type StoreTerminal = Pick<Terminal, "now"> & Partial<Pick<Terminal, "actor" | "say">>;

/** What says where the store is. */
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

/** As `openStore`, for what leaves the store as it is: one that holds nothing yet is not made. */
export async function openStoreForTrial(terminal: StoreTerminal, place: StorePlace): Promise<Store> {
  return openStore(terminal, (await isStoreThere(place)) ? place : { data: ":memory:" });
}

/**
 * As `openStore`, for commands that make no sense without data: a mistyped place is named, not made.
 *
 * @throws UsageError when it holds nothing of Parley.
 */
export async function openExistingStore(terminal: StoreTerminal, place: StorePlace): Promise<Store> {
  await requireStore(place);
  return openStore(terminal, place);
}

/** @throws UsageError when the place holds nothing of Parley. */
export async function requireStore(place: StorePlace): Promise<void> {
  if (!(await isStoreThere(place))) throw nothingThere(place);
}

/**
 * The folder's database file, for what reads it without the store.
 *
 * @throws UsageError when the folder holds no database.
 */
export function requireDatabase(config: Pick<Config, "data">): string {
  if (holdsDatabase(config)) return join(config.data, "parley.db");
  throw nothingThere(config);
}

/** @throws UsageError where the store is PostgreSQL's, which has tools of its own for what is asked. */
export function refusePostgres({ store }: Partial<Pick<Config, "store">>, instead: string): void {
  if (store) throw new UsageError(`${store.shown} is a PostgreSQL database: ${instead}`);
}

function nothingThere({ data, store }: StorePlace): UsageError {
  if (store)
    return new UsageError(`there is nothing of Parley in ${store.shown}; make it with \`parley seed\``);
  return new UsageError(
    `there is no Parley database in ${data}; name the folder with --data, or make one with \`parley seed\``,
  );
}

function isStoreThere({ data, store }: StorePlace): boolean | Promise<boolean> {
  return store ? PostgresStore.isThere(store) : holdsDatabase({ data });
}

/** Also where it was lost: whoever opens it is told so. @throws UnusableDatabaseError where the folder cannot be looked at. */
function holdsDatabase({ data }: Pick<Config, "data">): boolean {
  const file = join(data, "parley.db");
  refuseUnusableFolder(file);
  return existsSync(file) || isMarked(file);
}

/** @throws InputError when there is no such bot. */
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
