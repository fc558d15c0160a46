import { join } from "node:path";

import type { Database } from "better-sqlite3";

import type { Actor } from "../domain/change.ts";
import type { ConversationHistory } from "../domain/conversation.ts";
import { ServiceError } from "../domain/errors.ts";
import type { RequestId } from "../domain/ids.ts";
import { osUser } from "../domain/os-user.ts";
import type { EpochMs, Now } from "../domain/time.ts";
import { abandon } from "./abandon.ts";
import { AuditStore } from "./audit.ts";
import { type BotHead, type BotKey, BotStore, type SizedDocument } from "./bots.ts";
import { ChangeLog, isoOf } from "./changes/change-log.ts";
import { ServerStarts, type StartSettings } from "./changes/server-starts.ts";
import { type ClockState, ClockStore } from "./clock.ts";
import { type CommitObservation, CommitQueue } from "./commit-queue.ts";
import { ConversationErasure } from "./conversation-erasure.ts";
import { ConversationSearch } from "./conversation-search.ts";
import { ConversationStore } from "./conversations.ts";
import { openDatabase, sqliteCode, storageFailure } from "./database.ts";
import { EmbedTokenStore, type StoredEmbedToken } from "./embed-tokens.ts";
import { EmbeddingStore } from "./embeddings.ts";
import { OpenFiles } from "./file-identity.ts";
import { type StorageFailure, StorageHealth } from "./health.ts";
import { type IdempotencyKey, IdempotencyStore } from "./idempotency.ts";
import { InstanceStore } from "./instances.ts";
import { findIntentModel, findSentenceModel, hasIntentModel } from "./intent-models.ts";
import { LEASE_TIMES, type LeaseTimes } from "./lease-observer.ts";
import { RegistryWatch } from "./registry.ts";
import { TurnLeases } from "./turn-leases.ts";
import type {
  BeginOutcome,
  EarlierAnswer,
  FinishOutcome,
  LeaseNews,
  LeaseStore,
  RecordOutcome,
  TurnStore,
  TurnToBegin,
  TurnToFinish,
  TurnToRecord,
} from "./turn-store.ts";
import { TurnWrites } from "./turn-writes.ts";
import { TurnsInFlight } from "./turns-in-flight.ts";
import { type MonthlyUsage, UsageStore } from "./usage.ts";

export interface OpenStoreOptions {
  /** Folder of `parley.db`, or `:memory:` for a store that ends with the process. */
  dataDir: string;
  now: Now;
  /** How long a statement blocks while another process writes; 0 in a server, which retries without blocking. */
  busyTimeoutMs: number;
  /** Who answers for changes; the user of this process where it is not given. */
  by?: Actor;
  onCommit?: (observation: CommitObservation) => void;
  /** How servers on one folder tell that one of them is gone. */
  lease?: LeaseTimes;
  /** Told once, when nothing that is written can be believed to last any more. */
  onFailure?: (failure: StorageFailure) => void;
}

const DELETE_STEP = 200;
const PROBE_BYTES = 64 * 1024;

/** Everything on disk. The methods of the chat path are async; those of operators' commands are not. */
export class Store implements TurnStore, LeaseStore, AsyncDisposable {
  readonly bots: BotStore;
  readonly embedTokens: EmbedTokenStore;
  readonly conversations: ConversationStore;
  readonly conversationSearch: ConversationSearch;
  readonly erasure: ConversationErasure;
  readonly usage: UsageStore;
  readonly audit: AuditStore;
  readonly embeddings: EmbeddingStore;
  readonly clock: ClockStore;
  readonly changes: ChangeLog;
  readonly health: StorageHealth;
  /** Undefined where the store is in memory. */
  readonly file: string | undefined;
  readonly #db: Database;
  readonly #starts: ServerStarts;
  readonly #idempotency: IdempotencyStore;
  readonly #turns: TurnWrites;
  readonly #leases: TurnLeases;
  readonly #commits: CommitQueue;

  /** @throws UnusableDatabaseError with a line that says what to do. */
  constructor(options: OpenStoreOptions) {
    const { dataDir, now, onCommit, onFailure } = options;
    this.file = dataDir === ":memory:" ? undefined : join(dataDir, "parley.db");
    this.#db = openDatabase(this.file ?? dataDir, options.busyTimeoutMs);
    this.health = new StorageHealth({
      db: this.#db,
      files: this.file === undefined ? undefined : new OpenFiles(this.#db, this.file),
      ...(onFailure && { onFailure }),
    });
    this.changes = new ChangeLog(this.#db, now, options.by ?? { kind: "user", name: osUser() });
    this.#starts = new ServerStarts(this.#db, this.changes);
    this.bots = new BotStore(this.#db, now, this.changes);
    this.embedTokens = new EmbedTokenStore(this.#db, now, this.changes);
    this.conversations = new ConversationStore(this.#db, this.changes);
    this.conversationSearch = new ConversationSearch(this.#db);
    this.erasure = new ConversationErasure(this.#db, this.conversationSearch, this.changes);
    this.usage = new UsageStore(this.#db, this.changes);
    this.audit = new AuditStore(this.#db);
    this.embeddings = new EmbeddingStore(this.#db);
    this.#idempotency = new IdempotencyStore(this.#db);
    this.clock = new ClockStore(this.#db);
    const instances = new InstanceStore(this.#db, now);
    this.#turns = new TurnWrites({
      conversations: this.conversations,
      usage: this.usage,
      inFlight: new TurnsInFlight(this.#db),
      idempotency: this.#idempotency,
      instances,
    });
    this.#commits = new CommitQueue(this.#db, { guard: this.health, ...(onCommit && { onCommit }) });
    this.#leases = new TurnLeases({
      commits: this.#commits,
      read: (read) => this.#read(read),
      instances,
      turns: this.#turns,
      times: options.lease ?? LEASE_TIMES,
      claimFile: dataDir === ":memory:" ? undefined : join(dataDir, "parley.lock"),
    });
  }

  /** The document of a bot's version; undefined where the bot has been deleted. @throws ServiceError STORAGE_UNAVAILABLE */
  findBotDocument({ key, version, id }: Pick<BotHead, "key" | "version" | "id">): SizedDocument | undefined {
    return this.#read(() => this.bots.findSized(key, version, id));
  }

  /** The bytes of a trained intent model. */
  findIntentModel(id: string): Uint8Array | undefined {
    return this.#noticing(() => findIntentModel(this.#db, id));
  }

  /** What the examples of a trained intent model mean, in bytes; undefined where they were not encoded. */
  findSentenceModel(id: string): Uint8Array | undefined {
    return this.#noticing(() => findSentenceModel(this.#db, id));
  }

  hasIntentModel(id: string): boolean {
    return this.#noticing(() => hasIntentModel(this.#db, id));
  }

  /** Tells of changes that other processes make to bots and tokens. */
  watchRegistry(): RegistryWatch {
    return new RegistryWatch(this.#db);
  }

  /** @throws ServiceError STORAGE_UNAVAILABLE */
  findEmbedToken(hash: Uint8Array): StoredEmbedToken | undefined {
    return this.#read(() => this.embedTokens.findByHash(hash));
  }

  async findConversation(
    id: string,
    bot: BotKey,
    notBefore: EpochMs,
  ): Promise<ConversationHistory | undefined> {
    return this.#read(() => this.conversations.find(id, bot, notBefore));
  }

  async findEarlierAnswer(key: IdempotencyKey, now: EpochMs): Promise<EarlierAnswer | undefined> {
    return this.#read((): EarlierAnswer | undefined => {
      const record = this.#idempotency.find(key, now);
      if (!record) return undefined;
      const { bodyHash } = record;
      if (record.isRunning === 1) return { state: "running", bodyHash };
      const turn = this.conversations.findTurn(record.turn);
      return turn && { state: "answered", bodyHash, turn };
    });
  }

  /** What is counted of these bots in the month that holds `at`. @throws ServiceError STORAGE_UNAVAILABLE */
  readUsage(bots: readonly BotKey[], at: EpochMs): Map<BotKey, MonthlyUsage> {
    return this.#read(() => this.usage.readAll(bots, at));
  }

  forgetAnswer(key: IdempotencyKey, request: RequestId): Promise<void> {
    return this.#commits.run(() => this.#idempotency.forgetAnswer(key, request));
  }

  recordTurn(record: TurnToRecord): Promise<RecordOutcome> {
    return this.#commits.run(() => this.#turns.record(record));
  }

  beginTurn(record: TurnToBegin): Promise<BeginOutcome> {
    return this.#commits.run(() => this.#turns.begin(record));
  }

  async finishTurn(result: TurnToFinish): Promise<FinishOutcome> {
    try {
      return await this.#commits.run(() => this.#turns.finish(result));
    } catch (error) {
      if (!result.isCounted && error instanceof ServiceError) this.#leases.owe(result);
      throw error;
    }
  }

  giveBackUnfinished(): Promise<number> {
    return this.#leases.giveBackUnfinished();
  }

  renewLease(steadyNow: Now): Promise<LeaseNews> {
    return this.#leases.renew(steadyNow);
  }

  isAlone(): boolean {
    return this.#leases.isAlone();
  }

  /** Whether another server ran on the folder when this one started. */
  get isShared(): boolean {
    return this.#leases.isShared;
  }

  /** What a model server made of a text, by its SHA-256. @throws ServiceError STORAGE_UNAVAILABLE */
  findEmbedding(model: string, textHash: Uint8Array): Float32Array | undefined {
    return this.#read(() => this.embeddings.find(model, textHash));
  }

  /** Stores vectors of texts, by their SHA-256. @throws ServiceError STORAGE_UNAVAILABLE */
  saveEmbeddings(model: string, vectors: ReadonlyMap<Uint8Array, Float32Array>): Promise<void> {
    return this.#commits.run(() => {
      for (const [textHash, vector] of vectors) this.embeddings.save(model, textHash, vector);
    });
  }

  /** Deletes one small step of what has expired. @returns whether there may be more. */
  async deleteExpired(now: EpochMs, conversationsNotBefore: EpochMs): Promise<boolean> {
    const deleted = await this.#commits.run(() => {
      const records = this.#idempotency.deleteExpired(now, DELETE_STEP);
      const conversations = this.conversations.deleteIdle(conversationsNotBefore, DELETE_STEP);
      if (conversations > 0) this.changes.addExpired(conversations);
      return records + conversations;
    });
    return deleted >= DELETE_STEP;
  }

  /**
   * Counts a start of a server, and notes its settings where they have changed.
   *
   * @returns how many starts there were, with this one.
   * @throws ServiceError STORAGE_UNAVAILABLE
   */
  noteStart(settings: StartSettings): Promise<number> {
    return this.#commits.run(() => this.#starts.note(settings));
  }

  /** Notes that a server takes the clock to be right. @throws ServiceError STORAGE_UNAVAILABLE */
  beatClock(now: EpochMs): Promise<void> {
    return this.#commits.run(() => this.clock.beat(now));
  }

  /** The clock as it looks from outside a running server, against the last heartbeat. */
  clockState(now: EpochMs): ClockState {
    return this.clock.state(now);
  }

  /** An operator has found the clock right: running servers go on deleting what has expired, within a minute. */
  confirmClock(now: EpochMs): void {
    const confirm = this.#db.transaction(() => {
      const before = this.clock.readHeartbeat();
      this.clock.confirm(now);
      this.changes.append({
        kind: "clock.confirmed",
        subject: "clock",
        bots: [],
        fields: [
          {
            field: "lastRightAt",
            ...(before !== undefined && { before: isoOf(before) }),
            after: isoOf(now),
          },
        ],
      });
    });
    confirm.immediate();
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
    this.health.checkFiles();
    try {
      // Where another process writes, or the disk is full, the server stays entered until its lease has run out.
      this.#attemptLast(() => this.#leases.leave());
      // On a full disk the write-ahead log stays as it is. Nothing is lost: the next process to open the file reads it.
      this.#attemptLast(() => this.#db.pragma("wal_checkpoint(TRUNCATE)"));
    } finally {
      if (this.health.failure) abandon(this.#db);
      else this.#db.close();
      this.#leases[Symbol.dispose]();
    }
  }

  /** A last act, which may fail as storage may, and is left out once storage has failed. */
  #attemptLast(act: () => void): void {
    if (this.health.failure) return;
    try {
      act();
    } catch (error) {
      if (sqliteCode(error) === undefined) throw error;
      this.health.noticeFailure(error);
    }
  }

  #read<Result>(read: () => Result): Result {
    this.health.assertSound();
    try {
      return this.#noticing(read);
    } catch (error) {
      throw storageFailure(error);
    }
  }

  #noticing<Result>(read: () => Result): Result {
    try {
      return read();
    } catch (error) {
      this.health.noticeFailure(error);
      throw error;
    }
  }
}
