import { join } from "node:path";

import type { Database } from "better-sqlite3";

import type { Actor } from "../domain/change.ts";
import type { ConversationHistory } from "../domain/conversation.ts";
import { ServiceError } from "../domain/errors.ts";
import type { RequestId } from "../domain/ids.ts";
import { osUser } from "../domain/os-user.ts";
import type { EpochMs, Now } from "../domain/time.ts";
import { abandon } from "./abandon.ts";
import { ActionStore, deleteOldActions } from "./actions.ts";
import { AnalyticsStore } from "./analytics/analytics-store.ts";
import { TurnCounting } from "./analytics/turn-counting.ts";
import { AssetStore } from "./assets.ts";
import { AuditStore } from "./audit.ts";
import { BotDraftStore } from "./bot-drafts.ts";
import { BotStore } from "./bots.ts";
import { ChangeLog } from "./changes/change-log.ts";
import { ServerStarts } from "./changes/server-starts.ts";
import { type ClockState, ClockStore, confirmationOf } from "./clock.ts";
import { type CommitObservation, CommitQueue } from "./commit-queue.ts";
import { ConversationErasure } from "./conversation-erasure.ts";
import { ConversationSearch } from "./conversation-search.ts";
import { ConversationStore } from "./conversations.ts";
import { openDatabase, sqliteCode, storageFailure } from "./database.ts";
import { EmbedTokenStore } from "./embed-tokens.ts";
import { EmbeddingStore } from "./embeddings.ts";
import { OpenFiles } from "./file-identity.ts";
import { openHandoffTables } from "./handoff-tables.ts";
import { StorageHealth } from "./health.ts";
import { type IdempotencyKey, IdempotencyStore } from "./idempotency.ts";
import { InstanceStore } from "./instances.ts";
import { findIntentModel, findSentenceModel, hasIntentModel } from "./intent-models.ts";
import type { BotHead, BotKey, SizedDocument } from "./interface/bots.ts";
import type { StartSettings } from "./interface/changes.ts";
import type { ConversationFinder } from "./interface/conversations.ts";
import type { StoredEmbedToken } from "./interface/embed-tokens.ts";
import type { FeedbackStore, HandoffStore } from "./interface/handoffs.ts";
import type { StorageFailure } from "./interface/health.ts";
import type { Outbox } from "./interface/outbox.ts";
import type { Store } from "./interface/store.ts";
import type { MonthlyUsage } from "./interface/usage.ts";
import { KnowledgeStore } from "./knowledge.ts";
import { LEASE_TIMES, type LeaseTimes } from "./lease-observer.ts";
import { OperatorKeyStore } from "./operators/operator-keys.ts";
import { OperatorSessionStore } from "./operators/operator-sessions.ts";
import { OperatorStore } from "./operators/operators.ts";
import { PromisedSearch } from "./promised-search.ts";
import { promised, type Promised } from "./promised.ts";
import { RegistryWatch } from "./registry.ts";
import { TurnLeases } from "./turn-leases.ts";
import { TurnLog } from "./turn-log.ts";
import type {
  BeginOutcome,
  EarlierAnswer,
  FinishOutcome,
  LeaseNews,
  RecordOutcome,
  TurnToBegin,
  TurnToFinish,
  TurnToRecord,
} from "./turn-store.ts";
import { TurnWrites } from "./turn-writes.ts";
import { TurnsInFlight } from "./turns-in-flight.ts";
import { UsageStore } from "./usage.ts";
import { deleteUnusedVectors, VectorStore } from "./vectors.ts";

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

/** Everything in one SQLite file. Its parts answer at once; callers, who do not know the engine, await them. */
export class SqliteStore implements Store {
  readonly actions: Promised<ActionStore>;
  readonly bots: Promised<BotStore>;
  readonly botDrafts: Promised<BotDraftStore>;
  readonly embedTokens: Promised<EmbedTokenStore>;
  readonly conversations: Promised<ConversationStore>;
  readonly conversationSearch: ConversationFinder;
  readonly erasure: Promised<ConversationErasure>;
  readonly usage: Promised<UsageStore>;
  readonly audit: Promised<AuditStore>;
  readonly changes: Promised<ChangeLog>;
  readonly knowledge: KnowledgeStore;
  readonly feedback: FeedbackStore;
  readonly handoffs: HandoffStore;
  readonly outbox: Outbox;
  readonly operators: Promised<OperatorStore>;
  readonly operatorSessions: Promised<OperatorSessionStore>;
  readonly operatorKeys: Promised<OperatorKeyStore>;
  readonly analytics: AnalyticsStore;
  readonly assets: AssetStore;
  readonly vectors: VectorStore;
  readonly health: StorageHealth;
  /** Undefined where the store is in memory. */
  readonly file: string | undefined;
  readonly #db: Database;
  readonly #bots: BotStore;
  readonly #embedTokens: EmbedTokenStore;
  readonly #conversations: ConversationStore;
  readonly #usage: UsageStore;
  readonly #embeddings: EmbeddingStore;
  readonly #clock: ClockStore;
  readonly #changes: ChangeLog;
  readonly #starts: ServerStarts;
  readonly #idempotency: IdempotencyStore;
  readonly #log: TurnLog;
  readonly #turns: TurnWrites;
  readonly #leases: TurnLeases;
  readonly #commits: CommitQueue;

  /** @throws UnusableDatabaseError with a line that says what to do. */
  constructor(options: OpenStoreOptions) {
    const { dataDir, now, onCommit, onFailure } = options;
    this.file = dataDir === ":memory:" ? undefined : join(dataDir, "parley.db");
    // Closed at once where a later step throws.
    using opening = new DisposableStack();
    this.#db = opening.adopt(openDatabase(this.file ?? dataDir, options.busyTimeoutMs), (db) => db.close());
    this.health = new StorageHealth({
      db: this.#db,
      files: this.file === undefined ? undefined : new OpenFiles(this.#db, this.file),
      ...(onFailure && { onFailure }),
    });
    const changes = new ChangeLog(this.#db, now, options.by ?? { kind: "user", name: osUser() });
    const search = new ConversationSearch(this.#db);
    this.#changes = changes;
    this.#starts = new ServerStarts(this.#db, changes);
    this.#bots = new BotStore(this.#db, now, changes);
    this.#embedTokens = new EmbedTokenStore(this.#db, now, changes);
    this.#log = new TurnLog(this.#db);
    const onErased = () => this.#log.forgetTails();
    this.#conversations = new ConversationStore(this.#db, onErased);
    this.#usage = new UsageStore(this.#db, changes);
    this.#embeddings = new EmbeddingStore(this.#db);
    this.#idempotency = new IdempotencyStore(this.#db);
    this.#clock = new ClockStore(this.#db);
    this.#commits = new CommitQueue(this.#db, {
      guard: this.health,
      members: [this.#usage, this.#log],
      ...(onCommit && { onCommit }),
    });
    const queue = options.busyTimeoutMs === 0 ? this.#commits : undefined;
    const noticing = <Result>(call: () => Result) => this.#noticing(call);
    const callable = <Room extends object>(room: Room) => promised(room, { queue, noticing });
    this.actions = callable(new ActionStore(this.#db));
    this.bots = callable(this.#bots);
    this.botDrafts = callable(new BotDraftStore(this.#db, now, changes));
    this.embedTokens = callable(this.#embedTokens);
    this.conversations = callable(this.#conversations);
    this.conversationSearch = new PromisedSearch(search, noticing);
    this.erasure = callable(new ConversationErasure(this.#db, search, changes, onErased));
    this.usage = callable(this.#usage);
    this.audit = callable(new AuditStore(this.#db));
    this.changes = callable(changes);
    this.operators = callable(new OperatorStore(this.#db, now, changes));
    this.operatorSessions = callable(new OperatorSessionStore(this.#db, now, changes));
    this.operatorKeys = callable(new OperatorKeyStore(this.#db, now, changes));
    const room = {
      db: this.#db,
      now,
      changes,
      write: <Result>(work: () => Result) => this.#commits.run(work),
      read: <Result>(read: () => Result) => this.#read(read),
    };
    this.knowledge = new KnowledgeStore({ ...room, ...(queue && { queue }) });
    const people = openHandoffTables({
      ...room,
      recordLive: (record, table) => this.#turns.recordLive(record, table),
      onAnswererChanged: (id) => this.#log.forgetTail(id),
    });
    this.feedback = people.feedback;
    this.handoffs = people.handoffs;
    this.outbox = people.outbox;
    const instances = new InstanceStore(this.#db, now);
    this.assets = new AssetStore({ ...room, instances });
    this.vectors = new VectorStore({ ...room, instances });
    const counting = new TurnCounting(this.#db);
    this.analytics = new AnalyticsStore({ ...room, counting });
    this.#turns = new TurnWrites({
      log: this.#log,
      counting,
      usage: this.#usage,
      inFlight: new TurnsInFlight(this.#db),
      idempotency: this.#idempotency,
      instances,
    });
    this.#leases = new TurnLeases({
      commits: this.#commits,
      read: (read) => this.#read(read),
      instances,
      turns: this.#turns,
      times: options.lease ?? LEASE_TIMES,
      claimFile: dataDir === ":memory:" ? undefined : join(dataDir, "parley.lock"),
    });
    opening.move();
  }

  /** The document of a bot's version; undefined where the bot has been deleted. @throws ServiceError STORAGE_UNAVAILABLE */
  async findBotDocument({
    key,
    version,
    id,
  }: Pick<BotHead, "key" | "version" | "id">): Promise<SizedDocument | undefined> {
    return this.#read(() => this.#bots.findSized(key, version, id));
  }

  /** The bytes of a trained intent model. */
  async findIntentModel(id: string): Promise<Uint8Array | undefined> {
    return this.#noticing(() => findIntentModel(this.#db, id));
  }

  async findSentenceModel(id: string, encoder: string): Promise<Uint8Array | undefined> {
    return this.#noticing(() => findSentenceModel(this.#db, id, encoder));
  }

  async hasIntentModel(id: string): Promise<boolean> {
    return this.#noticing(() => hasIntentModel(this.#db, id));
  }

  /** Tells of changes that other processes make to bots and tokens. */
  async watchRegistry(): Promise<RegistryWatch> {
    return new RegistryWatch(this.#db);
  }

  /** @throws ServiceError STORAGE_UNAVAILABLE */
  async findEmbedToken(hash: Uint8Array): Promise<StoredEmbedToken | undefined> {
    return this.#read(() => this.#embedTokens.findByHash(hash));
  }

  async findConversation(
    id: string,
    bot: BotKey,
    notBefore: EpochMs,
  ): Promise<ConversationHistory | undefined> {
    return this.#read(() => this.#log.find(id, bot, notBefore));
  }

  async findEarlierAnswer(key: IdempotencyKey, now: EpochMs): Promise<EarlierAnswer | undefined> {
    return this.#read((): EarlierAnswer | undefined => {
      const record = this.#idempotency.find(key, now);
      if (!record) return undefined;
      const { bodyHash } = record;
      if (record.isRunning === 1) return { state: "running", bodyHash };
      const turn = this.#conversations.findTurn(record.turn);
      return turn && { state: turn.state === "unanswered" ? "unanswered" : "answered", bodyHash, turn };
    });
  }

  /** What is counted of these bots in the month that holds `at`. @throws ServiceError STORAGE_UNAVAILABLE */
  async readUsage(bots: readonly BotKey[], at: EpochMs): Promise<Map<BotKey, MonthlyUsage>> {
    return this.#read(() => this.#usage.readAll(bots, at));
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

  async isAlone(): Promise<boolean> {
    return this.#leases.isAlone();
  }

  /** Whether another server ran on the folder when this one started. */
  get isShared(): boolean {
    return this.#leases.isShared;
  }

  /** What a model server made of a text, by its SHA-256. @throws ServiceError STORAGE_UNAVAILABLE */
  async findEmbedding(model: string, textHash: Uint8Array): Promise<Float32Array | undefined> {
    return this.#read(() => this.#embeddings.find(model, textHash));
  }

  /** Stores vectors of texts, by their SHA-256. @throws ServiceError STORAGE_UNAVAILABLE */
  saveEmbeddings(model: string, vectors: ReadonlyMap<Uint8Array, Float32Array>): Promise<void> {
    return this.#commits.run(() => {
      for (const [textHash, vector] of vectors) this.#embeddings.save(model, textHash, vector);
    });
  }

  /** Deletes one small step of what has expired. @returns whether there may be more. */
  async deleteExpired(now: EpochMs, conversationsNotBefore: EpochMs): Promise<boolean> {
    const deleted = await this.#commits.run(() => {
      const records = this.#idempotency.deleteExpired(now, DELETE_STEP);
      const conversations = this.#conversations.deleteIdle(conversationsNotBefore, DELETE_STEP);
      if (conversations > 0) this.#changes.addExpired(conversations);
      const vectors = deleteUnusedVectors(this.#db, now, DELETE_STEP);
      return records + conversations + vectors + deleteOldActions(this.#db, now, DELETE_STEP);
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
    return this.#commits.run(() => this.#clock.beat(now));
  }

  async readHeartbeat(): Promise<EpochMs | undefined> {
    return this.#noticing(() => this.#clock.readHeartbeat());
  }

  /** The clock as it looks from outside a running server, against the last heartbeat. */
  async clockState(now: EpochMs): Promise<ClockState> {
    return this.#noticing(() => this.#clock.state(now));
  }

  /** An operator has found the clock right: running servers go on deleting what has expired, within a minute. */
  async confirmClock(now: EpochMs): Promise<void> {
    const confirm = this.#db.transaction(() => {
      const before = this.#clock.readHeartbeat();
      this.#clock.confirm(now);
      this.#changes.append(confirmationOf(before, now));
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
