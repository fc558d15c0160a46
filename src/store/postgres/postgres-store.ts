import type { StoreAddress } from "../../config/store-address.ts";
import type { Actor } from "../../domain/change.ts";
import type { ConversationHistory } from "../../domain/conversation.ts";
import { ServiceError } from "../../domain/errors.ts";
import type { RequestId } from "../../domain/ids.ts";
import { osUser } from "../../domain/os-user.ts";
import type { EpochMs, Now } from "../../domain/time.ts";
import { type ClockState, clockState } from "../clock.ts";
import type { CommitObservation } from "../commit-queue.ts";
import type { IdempotencyKey } from "../idempotency.ts";
import type { BotHead, BotKey, SizedDocument } from "../interface/bots.ts";
import type { StartSettings } from "../interface/changes.ts";
import type { StoredEmbedToken } from "../interface/embed-tokens.ts";
import type { Health } from "../interface/health.ts";
import type { RegistryWatch, Store } from "../interface/store.ts";
import type { MonthlyUsage } from "../interface/usage.ts";
import { LatestWrite } from "../latest-write.ts";
import { LEASE_TIMES, type LeaseTimes } from "../lease-observer.ts";
import { UnusableDatabaseError } from "../migrate.ts";
import type {
  BeginOutcome,
  EarlierAnswer,
  FinishOutcome,
  LeaseNews,
  RecordOutcome,
  TurnToBegin,
  TurnToFinish,
  TurnToRecord,
} from "../turn-store.ts";
import { PostgresActions } from "./actions.ts";
import { PostgresAnalytics } from "./analytics/analytics.ts";
import { PostgresAssets } from "./assets.ts";
import { PostgresAudit } from "./audit.ts";
import { PostgresBotDrafts } from "./bot-drafts.ts";
import { PostgresBots } from "./bots.ts";
import { PostgresChanges } from "./changes.ts";
import { beatClock, confirmClock, readHeartbeat } from "./clock.ts";
import { PostgresConversationSearch } from "./conversation-search.ts";
import { PostgresConversations } from "./conversations.ts";
import { findEarlierAnswer, forgetAnswer } from "./earlier-answers.ts";
import { PostgresEmbedTokens } from "./embed-tokens.ts";
import { findEmbedding, saveEmbeddings } from "./embeddings.ts";
import { PostgresErasure } from "./erasure.ts";
import { deleteExpired } from "./expiry.ts";
import { UnsentError } from "./failure.ts";
import { PostgresFeedback } from "./feedback.ts";
import { finishGivenBack, finishTurn } from "./finish-turn.ts";
import { PostgresHandoffs } from "./handoffs.ts";
import { Histories } from "./histories.ts";
import { Instances } from "./instances.ts";
import { PostgresKnowledge } from "./knowledge.ts";
import { Leases } from "./leases.ts";
import { LATEST_SCHEMA, migrate, readSchemaVersion } from "./migrate.ts";
import { findIntentModel, findSentenceModel, hasModel } from "./models.ts";
import { PostgresOperatorKeys } from "./operator-keys.ts";
import { PostgresOperatorSessions } from "./operator-sessions.ts";
import { PostgresOperators } from "./operators.ts";
import { PostgresOutbox } from "./outbox.ts";
import { Pool } from "./pool.ts";
import { Reachability } from "./reachability.ts";
import { PostgresRegistryWatch } from "./registry.ts";
import { noteStart } from "./starts.ts";
import { TurnWrites, WRITE_CONNECTIONS } from "./turn-writes.ts";
import { isHalfCopied, refuseHalfCopy } from "./unfinished-copy.ts";
import { PostgresUsage, readUsage } from "./usage.ts";
import { PostgresVectors } from "./vectors.ts";

export interface PostgresStoreOptions {
  address: StoreAddress;
  now: Now;
  /** How long a statement may take, and what was lost is tried again. */
  patience?: Patience;
  /** Who answers for changes; the user of this process where it is not given. */
  by?: Actor;
  onCommit?: (observation: CommitObservation) => void;
  /** How servers on one database tell that one of them is gone. */
  lease?: LeaseTimes;
}

/** How long a statement may take, and for how long what was lost is tried again. */
interface Patience {
  deadlineMs: number;
  retryMs: number;
}

/** A visitor waits: as long as for a lock of the SQLite store. */
export const SERVER_PATIENCE: Patience = { deadlineMs: 5000, retryMs: 5000 };
/** An operator waits: what is erased, or summed up, may be much. */
export const COMMAND_PATIENCE: Patience = { deadlineMs: 600_000, retryMs: 5000 };

/** For the path of a message but its group, as answers of models, and for what operators and followers read and change shortly. */
const POOLED_CONNECTIONS = 5;
/** For what reads much at operators' wish, and for counting: a visitor never waits for these. */
const LOOKING_CONNECTIONS = 3;
const PROBE_BYTES = 64 * 1024;

/** Everything in one PostgreSQL database, which any number of servers share. */
export class PostgresStore implements Store {
  readonly actions: PostgresActions;
  readonly bots: PostgresBots;
  readonly botDrafts: PostgresBotDrafts;
  readonly embedTokens: PostgresEmbedTokens;
  readonly conversations: PostgresConversations;
  readonly conversationSearch: PostgresConversationSearch;
  readonly erasure: PostgresErasure;
  readonly usage: PostgresUsage;
  readonly audit: PostgresAudit;
  readonly changes: PostgresChanges;
  readonly knowledge: PostgresKnowledge;
  readonly feedback: PostgresFeedback;
  readonly handoffs: PostgresHandoffs;
  readonly outbox: PostgresOutbox;
  readonly operators: PostgresOperators;
  readonly operatorSessions: PostgresOperatorSessions;
  readonly operatorKeys: PostgresOperatorKeys;
  readonly analytics: PostgresAnalytics;
  readonly assets: PostgresAssets;
  readonly vectors: PostgresVectors;
  /** A failure of PostgreSQL passes: each call tells of it by itself, and nothing has to be looked at before the next. */
  readonly health: Health;
  readonly file = undefined;
  readonly #server: Reachability;
  readonly #pool: Pool;
  readonly #writes: Pool;
  readonly #looks: Pool;
  readonly #histories: Histories;
  readonly #latestWrite = new LatestWrite();
  readonly #turns: TurnWrites;
  readonly #leases: Leases;

  private constructor(options: PostgresStoreOptions) {
    const { address, now, patience = COMMAND_PATIENCE, onCommit, lease: times = LEASE_TIMES } = options;
    const server = new Reachability(address);
    const pool = new Pool({ address, connections: POOLED_CONNECTIONS, ...patience }, server);
    const instances = new Instances(now);
    this.health = {
      failure: undefined,
      assertSound: () => {},
      assertWriting: () => this.#latestWrite.assertSucceeded(),
      noticeFailure: () => {},
    };
    this.#pool = pool;
    this.#server = server;
    this.#writes = new Pool({ address, connections: WRITE_CONNECTIONS, ...patience }, server);
    const looks = new Pool({ address, connections: LOOKING_CONNECTIONS, ...patience }, server);
    this.#looks = looks;
    this.changes = new PostgresChanges(pool, now, options.by ?? { kind: "user", name: osUser() });
    this.actions = new PostgresActions(pool);
    this.bots = new PostgresBots(pool, now, this.changes);
    this.botDrafts = new PostgresBotDrafts(pool, now, this.changes);
    this.embedTokens = new PostgresEmbedTokens(pool, now, this.changes);
    this.conversations = new PostgresConversations(pool);
    this.conversationSearch = new PostgresConversationSearch(looks);
    this.erasure = new PostgresErasure(looks, this.conversationSearch, this.changes);
    this.usage = new PostgresUsage(pool, this.changes);
    this.audit = new PostgresAudit(looks);
    this.knowledge = new PostgresKnowledge(pool, this.changes);
    this.feedback = new PostgresFeedback(pool);
    this.handoffs = new PostgresHandoffs(pool, this.changes);
    this.outbox = new PostgresOutbox(pool);
    this.operators = new PostgresOperators(pool, now, this.changes);
    this.operatorSessions = new PostgresOperatorSessions(pool, now, this.changes);
    this.operatorKeys = new PostgresOperatorKeys(pool, now, this.changes);
    this.analytics = new PostgresAnalytics(looks, now);
    this.assets = new PostgresAssets({ pool, looks, instances });
    this.vectors = new PostgresVectors({ pool, looks, instances });
    this.#histories = new Histories(pool);
    this.#turns = new TurnWrites({ pool: this.#writes, instances, ...(onCommit && { onCommit }) });
    this.#leases = new Leases({ pool, instances, times, finish: (result) => this.#finish(result) });
  }

  /**
   * Connects, and brings the schema up to this version.
   *
   * @throws UnusableDatabaseError with a line that says what to do.
   */
  static async open(options: PostgresStoreOptions): Promise<PostgresStore> {
    const store = new PostgresStore(options);
    try {
      await refuseHalfCopy(store.#pool, options.address);
      await migrate(store.#pool, options.address);
      return store;
    } catch (error) {
      await store.#close();
      throw explainOpening(options.address, error);
    }
  }

  /** Whether the database holds anything of Parley. @throws UnusableDatabaseError where it cannot be reached. */
  static async isThere(address: StoreAddress): Promise<boolean> {
    return (await PostgresStore.look(address)) !== "empty";
  }

  /** What the database holds; nothing is changed. @throws UnusableDatabaseError where it cannot be reached. */
  static async look(address: StoreAddress): Promise<"current" | "older" | "newer" | "empty" | "half-copied"> {
    await using pool = new Pool({ address, connections: 1, ...SERVER_PATIENCE });
    try {
      const version = await readSchemaVersion(pool);
      if (version === undefined) return "empty";
      if (await isHalfCopied(pool)) return "half-copied";
      if (version === LATEST_SCHEMA) return "current";
      return version < LATEST_SCHEMA ? "older" : "newer";
    } catch (error) {
      throw explainOpening(address, error);
    }
  }

  get isShared(): boolean {
    return this.#leases.isShared;
  }

  findBotDocument({
    key,
    version,
    id,
  }: Pick<BotHead, "key" | "version" | "id">): Promise<SizedDocument | undefined> {
    return this.bots.findSized(key, version, id);
  }

  findIntentModel(id: string): Promise<Uint8Array | undefined> {
    return findIntentModel(this.#pool, id);
  }

  findSentenceModel(id: string, encoder: string): Promise<Uint8Array | undefined> {
    return findSentenceModel(this.#pool, id, encoder);
  }

  hasIntentModel(id: string): Promise<boolean> {
    return hasModel(this.#pool, id);
  }

  watchRegistry(): Promise<RegistryWatch> {
    return PostgresRegistryWatch.open(this.#pool);
  }

  findEmbedToken(hash: Uint8Array): Promise<StoredEmbedToken | undefined> {
    return this.embedTokens.findByHash(hash);
  }

  findConversation(id: string, bot: BotKey, notBefore: EpochMs): Promise<ConversationHistory | undefined> {
    return this.#histories.find(id, bot, notBefore);
  }

  findEarlierAnswer(key: IdempotencyKey, now: EpochMs): Promise<EarlierAnswer | undefined> {
    return findEarlierAnswer(this.#pool, key, now);
  }

  forgetAnswer(key: IdempotencyKey, request: RequestId): Promise<void> {
    return forgetAnswer(this.#pool, key, request);
  }

  recordTurn(record: TurnToRecord): Promise<RecordOutcome> {
    return this.#latestWrite.watch(this.#turns.record(record));
  }

  /** Where it rejects, the turn may have been begun for all that: it is given back as soon as that can be written. */
  async beginTurn(record: TurnToBegin): Promise<BeginOutcome> {
    try {
      return await this.#latestWrite.watch(this.#turns.begin(record));
    } catch (error) {
      if (error instanceof ServiceError && !(error.cause instanceof UnsentError))
        this.#leases.oweBegun(record);
      throw error;
    }
  }

  async finishTurn(result: TurnToFinish): Promise<FinishOutcome> {
    try {
      return await this.#latestWrite.watch(this.#finish(result));
    } catch (error) {
      if (!result.isCounted && error instanceof ServiceError) this.#leases.owe(result);
      throw error;
    }
  }

  async #finish(result: TurnToFinish): Promise<FinishOutcome> {
    const outcome = await this.#pool.run((connection, attempt) => finishTurn(connection, result, attempt));
    if (outcome !== "to_be_counted") return outcome;
    return this.#pool.transaction((queries) => finishGivenBack(queries, result));
  }

  async giveBackUnfinished(): Promise<number> {
    await this.#leases.enter();
    return 0;
  }

  renewLease(steadyNow: Now): Promise<LeaseNews> {
    return this.#leases.renew(steadyNow);
  }

  isAlone(): Promise<boolean> {
    return this.#leases.isAlone();
  }

  readUsage(bots: readonly BotKey[], at: EpochMs): Promise<Map<BotKey, MonthlyUsage>> {
    return readUsage(this.#pool, bots, at);
  }

  findEmbedding(model: string, textHash: Uint8Array): Promise<Float32Array | undefined> {
    return findEmbedding(this.#pool, model, textHash);
  }

  saveEmbeddings(model: string, vectors: ReadonlyMap<Uint8Array, Float32Array>): Promise<void> {
    return saveEmbeddings(this.#pool, model, vectors);
  }

  deleteExpired(now: EpochMs, conversationsNotBefore: EpochMs): Promise<boolean> {
    return this.#pool.transaction((queries) =>
      deleteExpired(queries, this.changes, now, conversationsNotBefore),
    );
  }

  noteStart(settings: StartSettings): Promise<number> {
    return this.#pool.transaction((queries) => noteStart(queries, this.changes, settings));
  }

  readHeartbeat(): Promise<EpochMs | undefined> {
    return readHeartbeat(this.#pool);
  }

  beatClock(now: EpochMs): Promise<void> {
    return beatClock(this.#pool, now);
  }

  async clockState(now: EpochMs): Promise<ClockState> {
    return clockState(await this.readHeartbeat(), now, 0);
  }

  confirmClock(now: EpochMs): Promise<void> {
    return this.#pool.transaction((queries) => confirmClock(queries, this.changes, now));
  }

  async assertWritable(): Promise<void> {
    const written = this.#pool.query(
      `INSERT INTO write_probe (key, padding) VALUES (1, $1) ON CONFLICT (key) DO UPDATE SET padding = excluded.padding`,
      [" ".repeat(PROBE_BYTES)],
    );
    await this.#latestWrite.watch(written);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#turns.idle();
    try {
      // Where the database is out of reach, the server stays entered until its lease has run out.
      await this.#leases.leave();
    } catch (error) {
      if (!(error instanceof ServiceError)) throw error;
    } finally {
      await this.#close();
    }
  }

  async #close(): Promise<void> {
    await this.#pool[Symbol.asyncDispose]();
    await this.#writes[Symbol.asyncDispose]();
    await this.#looks[Symbol.asyncDispose]();
    await this.#server[Symbol.asyncDispose]();
  }
}

/** What came of opening the database, for an operator. */
export function explainOpening(address: StoreAddress, error: unknown): unknown {
  if (!(error instanceof ServiceError)) return error;
  const reason = error.cause instanceof Error ? error.cause.message : error.message;
  return new UnusableDatabaseError(`cannot use ${address.shown}: ${reason}`, { cause: error });
}
