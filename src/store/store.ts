import { join } from "node:path";

import type { Database } from "better-sqlite3";

import type { ConversationHistory } from "../domain/conversation.ts";
import type { EpochMs, Now } from "../domain/time.ts";
import { AuditStore } from "./audit.ts";
import { type BotKey, BotStore } from "./bots.ts";
import { type CommitObservation, CommitQueue } from "./commit-queue.ts";
import { ConversationErasure } from "./conversation-erasure.ts";
import { ConversationSearch } from "./conversation-search.ts";
import { ConversationStore } from "./conversations.ts";
import { openDatabase, sqliteCode, storageFailure } from "./database.ts";
import { EmbedTokenStore } from "./embed-tokens.ts";
import { EmbeddingStore } from "./embeddings.ts";
import { claimFolder } from "./folder-claim.ts";
import { type IdempotencyKey, IdempotencyStore } from "./idempotency.ts";
import { findIntentModel, findSentenceModel, hasIntentModel } from "./intent-models.ts";
import { RegistryWatch } from "./registry.ts";
import type {
  BeginOutcome,
  EarlierAnswer,
  RecordOutcome,
  TurnStore,
  TurnToBegin,
  TurnToFinish,
  TurnToRecord,
} from "./turn-store.ts";
import { TurnsInFlight } from "./turns-in-flight.ts";
import { UsageStore } from "./usage.ts";

export interface OpenStoreOptions {
  /** Folder of `parley.db`, or `:memory:` for a store that ends with the process. */
  dataDir: string;
  now: Now;
  /** How long a statement blocks while another process writes; 0 in a server, which retries without blocking. */
  busyTimeoutMs: number;
  onCommit?: (observation: CommitObservation) => void;
}

const DELETE_STEP = 200;
const PROBE_BYTES = 64 * 1024;

/** Everything on disk. The methods of the chat path are async; those of operators' commands are not. */
export class Store implements TurnStore, AsyncDisposable {
  readonly bots: BotStore;
  readonly embedTokens: EmbedTokenStore;
  readonly conversations: ConversationStore;
  readonly conversationSearch: ConversationSearch;
  readonly erasure: ConversationErasure;
  readonly usage: UsageStore;
  readonly audit: AuditStore;
  readonly embeddings: EmbeddingStore;
  readonly #db: Database;
  readonly #inFlight: TurnsInFlight;
  readonly #idempotency: IdempotencyStore;
  readonly #commits: CommitQueue;
  /** Undefined where the store is in memory: nobody shares it. */
  readonly #claimFile: string | undefined;
  #claim: ReturnType<typeof claimFolder>;

  /** @throws UnusableDatabaseError with a line that says what to do. */
  constructor(options: OpenStoreOptions) {
    const { dataDir, now } = options;
    this.#claimFile = dataDir === ":memory:" ? undefined : join(dataDir, "parley.lock");
    this.#db = openDatabase(
      dataDir === ":memory:" ? dataDir : join(dataDir, "parley.db"),
      options.busyTimeoutMs,
    );
    this.bots = new BotStore(this.#db, now);
    this.embedTokens = new EmbedTokenStore(this.#db, now);
    this.conversations = new ConversationStore(this.#db);
    this.conversationSearch = new ConversationSearch(this.#db);
    this.erasure = new ConversationErasure(this.#db, this.conversationSearch);
    this.usage = new UsageStore(this.#db);
    this.audit = new AuditStore(this.#db);
    this.embeddings = new EmbeddingStore(this.#db);
    this.#inFlight = new TurnsInFlight(this.#db);
    this.#idempotency = new IdempotencyStore(this.#db);
    this.#commits = new CommitQueue(this.#db, options.onCommit ? { onCommit: options.onCommit } : {});
  }

  /** The bytes of a trained intent model. */
  findIntentModel(id: string): Uint8Array | undefined {
    return findIntentModel(this.#db, id);
  }

  /** What the examples of a trained intent model mean, in bytes; undefined where they were not encoded. */
  findSentenceModel(id: string): Uint8Array | undefined {
    return findSentenceModel(this.#db, id);
  }

  hasIntentModel(id: string): boolean {
    return hasIntentModel(this.#db, id);
  }

  /** Tells of changes that other processes make to bots and tokens. */
  watchRegistry(): RegistryWatch {
    return new RegistryWatch(this.#db);
  }

  async findConversation(
    id: string,
    bot: BotKey,
    notBefore: EpochMs,
  ): Promise<ConversationHistory | undefined> {
    return this.#read(() => this.conversations.find(id, bot, notBefore));
  }

  async findEarlierAnswer(key: IdempotencyKey, now: EpochMs): Promise<EarlierAnswer | undefined> {
    return this.#read(() => {
      const record = this.#idempotency.find(key, now);
      const turn = record && this.conversations.findTurn(record.turn);
      return turn && { bodyHash: record.bodyHash, turn };
    });
  }

  recordTurn(record: TurnToRecord): Promise<RecordOutcome> {
    const { bot, turn, idempotencyKey } = record;
    return this.#commits.run(() => {
      const reserved = this.usage.reserve(bot, turn.at, record.monthlyMessageCap);
      if (reserved !== "reserved") return reserved;
      const key = this.conversations.append(record.conversationId, bot, turn);
      if (idempotencyKey) this.#idempotency.save(idempotencyKey, key, turn.at);
      return "recorded";
    });
  }

  beginTurn(record: TurnToBegin): Promise<BeginOutcome> {
    const { bot, turn, monthlyTokenBudget } = record;
    return this.#commits.run((): BeginOutcome => {
      const isSpent =
        monthlyTokenBudget !== undefined && this.usage.readTokens(bot, turn.at) >= monthlyTokenBudget;
      if (isSpent) return { outcome: "budget_spent" };
      const reserved = this.usage.reserve(bot, turn.at, record.monthlyMessageCap);
      if (reserved !== "reserved") return { outcome: reserved };
      const key = this.conversations.append(record.conversationId, bot, turn);
      this.#inFlight.add(key, bot, turn.at);
      return { outcome: "begun", key };
    });
  }

  finishTurn({ key, bot, turn, modelTokens, isCounted, idempotencyKey }: TurnToFinish): Promise<void> {
    return this.#commits.run(() => {
      const reservation = this.#inFlight.remove(key, turn.requestId);
      if (!isCounted && reservation) this.usage.giveBack(reservation.bot, reservation.month);
      if (modelTokens > 0) this.usage.addTokens(bot, turn.at, modelTokens);
      if (!reservation) return;
      this.conversations.answer(key, turn);
      if (idempotencyKey) this.#idempotency.save(idempotencyKey, key, turn.at);
    });
  }

  /**
   * Uncounts the messages of turns that an earlier server began and did not finish. Does nothing while another server runs on
   * the folder, because the turns may be that server's. While this store is open, no other store can give turns back.
   *
   * @returns how many turns were given back.
   */
  async giveBackUnfinished(): Promise<number> {
    if (this.#claimFile !== undefined) {
      this.#claim ??= claimFolder(this.#claimFile);
      if (!this.#claim) return 0;
    }
    return this.#commits.run(() => {
      const reservations = this.#inFlight.removeAll();
      for (const { bot, month } of reservations) this.usage.giveBack(bot, month);
      return reservations.length;
    });
  }

  /** Whether another server runs on the folder; known once unfinished turns were given back. */
  get isShared(): boolean {
    return this.#claimFile !== undefined && this.#claim === undefined;
  }

  /** Stores vectors of texts, by their SHA-256. @throws ServiceError STORAGE_UNAVAILABLE */
  saveEmbeddings(model: string, vectors: ReadonlyMap<Uint8Array, Float32Array>): Promise<void> {
    return this.#commits.run(() => {
      for (const [textHash, vector] of vectors) this.embeddings.save(model, textHash, vector);
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

  /** Resolves when a write as large as a long message reaches the disk. @throws ServiceError STORAGE_UNAVAILABLE */
  async assertWritable(): Promise<void> {
    await this.#commits.run(() =>
      this.#db
        .prepare("INSERT OR REPLACE INTO write_probe (key, padding) VALUES (1, zeroblob(?))")
        .run(PROBE_BYTES),
    );
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#commits.idle();
    try {
      this.#db.pragma("wal_checkpoint(TRUNCATE)");
    } catch (error) {
      // On a full disk the write-ahead log stays as it is. Nothing is lost: the next process to open the file reads it.
      if (sqliteCode(error) === undefined) throw error;
    } finally {
      this.#db.close();
      this.#claim?.close();
    }
  }

  #read<Result>(read: () => Result): Result {
    try {
      return read();
    } catch (error) {
      throw storageFailure(error);
    }
  }
}
