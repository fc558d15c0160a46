import { join } from "node:path";

import type { Database } from "better-sqlite3";

import type { ConversationHistory, Turn } from "../domain/conversation.ts";
import type { ConversationId } from "../domain/ids.ts";
import type { EpochMs, Now } from "../domain/time.ts";
import { AuditStore } from "./audit.ts";
import { type BotKey, BotStore } from "./bots.ts";
import { type CommitObservation, CommitQueue } from "./commit-queue.ts";
import { ConversationStore, type StoredTurn } from "./conversations.ts";
import { openDatabase, storageFailure } from "./database.ts";
import { EmbedTokenStore } from "./embed-tokens.ts";
import { type IdempotencyKey, IdempotencyStore } from "./idempotency.ts";
import { findIntentModel, hasIntentModel } from "./intent-models.ts";
import { RegistryWatch } from "./registry.ts";
import { UsageStore } from "./usage.ts";

/** A message with its answer, to be counted and stored in one transaction. */
export interface TurnToRecord {
  bot: BotKey;
  /** Absent: no cap. */
  monthlyMessageCap?: number;
  conversationId: ConversationId;
  turn: Turn;
  idempotencyKey?: IdempotencyKey;
}

export type RecordOutcome = "recorded" | "cap_reached";

/** An earlier answer to the same idempotency key. */
export interface EarlierAnswer {
  bodyHash: Uint8Array;
  turn: StoredTurn;
}

export interface OpenStoreOptions {
  /** Folder of `parley.db`, or `:memory:` for a store that ends with the process. */
  dataDir: string;
  now: Now;
  /** How long a statement blocks while another process writes; 0 in a server, which retries without blocking. */
  busyTimeoutMs: number;
  onCommit?: (observation: CommitObservation) => void;
}

const DELETE_STEP = 200;

/** Everything on disk. The methods of the chat path are async; those of operators' commands are not. */
export class Store implements AsyncDisposable {
  readonly bots: BotStore;
  readonly embedTokens: EmbedTokenStore;
  readonly conversations: ConversationStore;
  readonly usage: UsageStore;
  readonly audit: AuditStore;
  readonly #db: Database;
  readonly #idempotency: IdempotencyStore;
  readonly #commits: CommitQueue;

  /** @throws UnusableDatabaseError with a line that says what to do. */
  constructor(options: OpenStoreOptions) {
    const { dataDir, now } = options;
    this.#db = openDatabase(
      dataDir === ":memory:" ? dataDir : join(dataDir, "parley.db"),
      options.busyTimeoutMs,
    );
    this.bots = new BotStore(this.#db, now);
    this.embedTokens = new EmbedTokenStore(this.#db, now);
    this.conversations = new ConversationStore(this.#db);
    this.usage = new UsageStore(this.#db);
    this.audit = new AuditStore(this.#db);
    this.#idempotency = new IdempotencyStore(this.#db);
    this.#commits = new CommitQueue(this.#db, options.onCommit ? { onCommit: options.onCommit } : {});
  }

  /** The bytes of a trained intent model. */
  findIntentModel(id: string): Uint8Array | undefined {
    return findIntentModel(this.#db, id);
  }

  hasIntentModel(id: string): boolean {
    return hasIntentModel(this.#db, id);
  }

  /** Tells of changes that other processes make to bots and tokens. */
  watchRegistry(): RegistryWatch {
    return new RegistryWatch(this.#db);
  }

  /** @throws ServiceError STORAGE_UNAVAILABLE */
  async findConversation(
    id: string,
    bot: BotKey,
    notBefore: EpochMs,
  ): Promise<ConversationHistory | undefined> {
    return this.#read(() => this.conversations.find(id, bot, notBefore));
  }

  /** @throws ServiceError STORAGE_UNAVAILABLE */
  async findEarlierAnswer(key: IdempotencyKey, now: EpochMs): Promise<EarlierAnswer | undefined> {
    return this.#read(() => {
      const record = this.#idempotency.find(key, now);
      const turn = record && this.conversations.findTurn(record.turn);
      return turn && { bodyHash: record.bodyHash, turn };
    });
  }

  /**
   * Counts and stores a message with its answer; on disk when the promise resolves.
   *
   * @throws ServiceError STORAGE_UNAVAILABLE; nothing is counted or stored then.
   */
  recordTurn(record: TurnToRecord): Promise<RecordOutcome> {
    const { bot, turn, idempotencyKey } = record;
    return this.#commits.run(() => {
      if (!this.usage.reserve(bot, turn.at, record.monthlyMessageCap)) return "cap_reached";
      const key = this.conversations.append(record.conversationId, bot, turn);
      if (idempotencyKey) this.#idempotency.save(idempotencyKey, key, turn.at);
      return "recorded";
    });
  }

  /** Deletes one small step of what has expired. @returns whether there may be more. */
  async deleteExpired(now: EpochMs, conversationsNotBefore: EpochMs): Promise<boolean> {
    const deleted = await this.#commits.run(
      () =>
        this.#idempotency.deleteExpired(now, DELETE_STEP) +
        this.conversations.deleteIdle(conversationsNotBefore, DELETE_STEP),
    );
    return deleted >= DELETE_STEP;
  }

  /** Resolves when a write reaches the disk. @throws ServiceError STORAGE_UNAVAILABLE */
  async assertWritable(): Promise<void> {
    await this.#commits.run(() => this.#db.prepare("UPDATE registry SET generation = generation").run());
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#commits.idle();
    this.#db.pragma("wal_checkpoint(TRUNCATE)");
    this.#db.close();
  }

  #read<Result>(read: () => Result): Result {
    try {
      return read();
    } catch (error) {
      throw storageFailure(error);
    }
  }
}
