import { parseStoreAddress, type StoreAddress } from "../../src/config/store-address.ts";
import type { ConversationId, RequestId } from "../../src/domain/ids.ts";
import type { BotKey } from "../../src/store/interface/bots.ts";
import { PostgresStore, type PostgresStoreOptions } from "../../src/store/postgres/postgres-store.ts";
import { shopBot } from "./bots.ts";
import { HANG_MS } from "./eventually.ts";
import { createEmptyDatabase, createPostgresDatabase } from "./postgres-server.ts";
import type { TcpProxy } from "./tcp-proxy.ts";
import { turnWith } from "./turns.ts";

/** Short limits for tests of failures, which wait for them. */
export const HASTY = { deadlineMs: 400, retryMs: 600 };
/** Long limits for tests that must succeed, also on a slow machine. */
export const PATIENT = { deadlineMs: HANG_MS / 2, retryMs: HANG_MS };

/** Stores of several servers on one new database, empty or migrated. */
export class PostgresStores implements AsyncDisposable {
  readonly url: string;
  readonly address: StoreAddress;
  readonly #drop: () => Promise<void>;
  readonly #opened: PostgresStore[] = [];

  private constructor(url: string, drop: () => Promise<void>) {
    this.url = url;
    this.address = parseStoreAddress(url);
    this.#drop = drop;
  }

  static async create({ isEmpty = false } = {}): Promise<PostgresStores> {
    const { url, drop } = await (isEmpty ? createEmptyDatabase() : createPostgresDatabase());
    return new PostgresStores(url, drop);
  }

  /** Another server's store. */
  async open(options: Partial<PostgresStoreOptions> = {}): Promise<PostgresStore> {
    const store = await PostgresStore.open({ address: this.address, now: Date.now, ...options });
    this.#opened.push(store);
    return store;
  }

  /** The server's address through a proxy. */
  behind(proxy: TcpProxy): StoreAddress {
    const url = new URL(this.url);
    url.port = String(proxy.port);
    return parseStoreAddress(url.href);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const store of this.#opened) await store[Symbol.asyncDispose]();
    await this.#drop();
  }
}

/** Seeds the shop. @returns its key. */
export async function seedShop(store: PostgresStore): Promise<BotKey> {
  await store.bots.seed([shopBot()], { prune: false, dryRun: false });
  return (await store.bots.find("shop"))!.key;
}

/** A message with its answer, ready to be recorded. */
export function recordOf(bot: BotKey, request: string, fields: object = {}, conversation = `cv_${request}`) {
  const turn = turnWith({ requestId: request as RequestId, at: Date.now(), ...fields });
  return { bot, conversationId: conversation as ConversationId, turn };
}
