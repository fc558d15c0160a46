import type { Actor } from "../../domain/change.ts";
import type { RequestId } from "../../domain/ids.ts";
import { osUser } from "../../domain/os-user.ts";
import type { EpochMs, Now } from "../../domain/time.ts";
import { type ClockState, clockState } from "../clock-guard.ts";
import type { IdempotencyKey } from "../idempotency.ts";
import type { BotHead, BotKey, SizedDocument } from "../interface/bots.ts";
import type { StartSettings } from "../interface/changes.ts";
import type { StoredEmbedToken } from "../interface/embed-tokens.ts";
import type { MonthlyUsage } from "../interface/usage.ts";
import { sql } from "../sql/sql.ts";
import { type Engine, run } from "../sql/work.ts";
import { SqlActions } from "./actions.ts";
import { type BuildRunner, SqlAssets } from "./assets.ts";
import { SqlAudit } from "./audit.ts";
import { SqlBotDrafts } from "./bot-drafts.ts";
import { SqlBots } from "./bots.ts";
import { SqlChanges } from "./changes.ts";
import { beatClock, confirmClock, readHeartbeat } from "./clock.ts";
import { SqlConversationSearch } from "./conversation-search.ts";
import { SqlConversations } from "./conversations.ts";
import { SqlEmbedTokens } from "./embed-tokens.ts";
import { findEmbedding, saveEmbeddings } from "./embeddings.ts";
import { type ErasureHooks, SqlErasure } from "./erasure.ts";
import { deleteExpired } from "./expiry.ts";
import { SqlGenerationWatch } from "./generation.ts";
import { type HandoffHooks, SqlHandoffs } from "./handoffs.ts";
import { findIntentModel, findSentenceModel, hasIntentModel } from "./intent-models.ts";
import { SqlKnowledge } from "./knowledge/knowledge.ts";
import { SqlOperatorKeys } from "./operator-keys.ts";
import { SqlOperatorSessions } from "./operator-sessions.ts";
import { SqlOperators } from "./operators.ts";
import { SqlOutbox } from "./outbox.ts";
import { SqlRatings } from "./ratings.ts";
import { KEY, TURN } from "./references.ts";
import { noteStart } from "./server-starts.ts";
import { SqlUsage } from "./usage.ts";
import { type OwnInstance, SqlVectors } from "./vectors.ts";

export interface SqlStoreParts extends ErasureHooks, HandoffHooks {
  engine: Engine;
  /** The same engine, which refuses to read once storage has failed: for visitors and running servers. Operators may still read. */
  sound: Engine;
  /** @throws ServiceError STORAGE_UNAVAILABLE once storage has failed. */
  assertSound: () => void;
  /** For large reads that operators ask for, so that no visitor waits for them. */
  looks: Engine;
  now: Now;
  /** The actor of changes; by default, the user of this process. */
  by: Actor | undefined;
  /** This server among those that run on the store. */
  instance: BuildRunner & OwnInstance;
  /** Interval between two polls for changes of bots and embed tokens. */
  watchEveryMs: number;
}

/** The parts of a store that are written once for both engines. */
export abstract class SqlStore {
  readonly actions: SqlActions;
  readonly bots: SqlBots;
  readonly botDrafts: SqlBotDrafts;
  readonly embedTokens: SqlEmbedTokens;
  readonly usage: SqlUsage;
  readonly conversations: SqlConversations;
  readonly conversationSearch: SqlConversationSearch;
  readonly erasure: SqlErasure;
  readonly audit: SqlAudit;
  readonly changes: SqlChanges;
  readonly feedback: SqlRatings;
  readonly handoffs: SqlHandoffs;
  readonly outbox: SqlOutbox;
  readonly operators: SqlOperators;
  readonly operatorSessions: SqlOperatorSessions;
  readonly operatorKeys: SqlOperatorKeys;
  readonly knowledge: SqlKnowledge;
  readonly assets: SqlAssets;
  readonly vectors: SqlVectors;
  readonly #engine: Engine;
  readonly #sound: Engine;
  readonly #assertSound: () => void;
  readonly #watchEveryMs: number;

  constructor(parts: SqlStoreParts) {
    const { engine, sound, looks, now, instance } = parts;
    this.#engine = engine;
    this.#sound = sound;
    this.#assertSound = parts.assertSound;
    this.#watchEveryMs = parts.watchEveryMs;
    const changes = new SqlChanges(engine, now, parts.by ?? { kind: "user", name: osUser() });
    this.changes = changes;
    this.actions = new SqlActions(sound);
    this.bots = new SqlBots(engine, now, changes);
    this.botDrafts = new SqlBotDrafts(engine, now, changes);
    this.embedTokens = new SqlEmbedTokens(engine, now, changes);
    this.usage = new SqlUsage(engine, changes);
    this.conversations = new SqlConversations(engine);
    this.conversationSearch = new SqlConversationSearch(looks);
    this.erasure = new SqlErasure({ ...parts, engine: looks, search: this.conversationSearch, changes });
    this.audit = new SqlAudit(looks);
    this.knowledge = new SqlKnowledge(sound, now, changes);
    this.feedback = new SqlRatings(sound);
    this.handoffs = new SqlHandoffs({ ...parts, engine: sound, changes });
    this.outbox = new SqlOutbox(sound);
    this.operators = new SqlOperators(engine, now, changes);
    this.operatorSessions = new SqlOperatorSessions(engine, now, changes);
    this.operatorKeys = new SqlOperatorKeys(engine, now, changes);
    this.assets = new SqlAssets({ engine: sound, looks, instance });
    this.vectors = new SqlVectors({ engine: sound, looks, instance });
  }

  /** The document of a bot's version; undefined if the bot has been deleted. */
  async findBotDocument({
    key,
    version,
    id,
  }: Pick<BotHead, "key" | "version" | "id">): Promise<SizedDocument | undefined> {
    this.#assertSound();
    return this.bots.findSized(key, version, id);
  }

  /** The bytes of a trained intent model. */
  findIntentModel(id: string): Promise<Uint8Array | undefined> {
    return this.#engine.read(() => findIntentModel(id));
  }

  /**
   * The vectors that the encoder of this version made of an intent model's examples, in bytes: empty if there is nothing to encode,
   * undefined if it has not encoded them.
   */
  findSentenceModel(id: string, encoder: string): Promise<Uint8Array | undefined> {
    return this.#engine.read(() => findSentenceModel(id, encoder));
  }

  hasIntentModel(id: string): Promise<boolean> {
    return this.#engine.read(() => hasIntentModel(id));
  }

  /** Begins to watch for changes of bots and embed tokens by other processes. */
  watchGeneration(): Promise<SqlGenerationWatch> {
    return SqlGenerationWatch.open(this.#engine, this.#watchEveryMs);
  }

  async findEmbedToken(hash: Uint8Array): Promise<StoredEmbedToken | undefined> {
    this.#assertSound();
    return this.embedTokens.findByHash(hash);
  }

  /** The usage of these bots in the month that holds `at`. */
  async readUsage(bots: readonly BotKey[], at: EpochMs): Promise<Map<BotKey, MonthlyUsage>> {
    this.#assertSound();
    return this.usage.readAll(bots, at);
  }

  /** The stored embedding of a text, by the text's SHA-256. */
  findEmbedding(model: string, textHash: Uint8Array): Promise<Float32Array | undefined> {
    return this.#sound.read(() => findEmbedding(model, textHash));
  }

  /** The key's answer is forgotten if it is the turn of `request`; a turn that has taken the key since still answers it. */
  forgetAnswer({ embedToken, keyHash }: IdempotencyKey, request: RequestId): Promise<void> {
    return this.#sound.write(function* () {
      yield* run(sql`
        DELETE FROM idempotency_records WHERE embed_token_key = ${embedToken} AND key_hash = ${keyHash}
          AND ${TURN} = (SELECT ${KEY} FROM turns WHERE request_id = ${request})`);
    });
  }

  /** Deletes one small step of expired rows. @returns whether there may be more. */
  deleteExpired(now: EpochMs, conversationsNotBefore: EpochMs): Promise<boolean> {
    return this.#sound.write(() =>
      this.erasure.erasing(() => deleteExpired(now, conversationsNotBefore, this.changes)),
    );
  }

  /** Stores embeddings of texts, by the SHA-256 of each text. */
  saveEmbeddings(model: string, vectors: ReadonlyMap<Uint8Array, Float32Array>): Promise<void> {
    return this.#engine.write(() => saveEmbeddings(model, vectors));
  }

  /** Counts a start of a server, and records a change if its settings differ. @returns number of starts, including this one. */
  noteStart(settings: StartSettings): Promise<number> {
    return this.#engine.write(() => noteStart(settings, this.changes));
  }

  /** When a server or an operator last found the clock right; undefined before the first time. */
  readHeartbeat(): Promise<EpochMs | undefined> {
    return this.#engine.read(readHeartbeat);
  }

  /** Records that a server finds the clock right. */
  beatClock(now: EpochMs): Promise<void> {
    return this.#engine.write(() => beatClock(now));
  }

  /** The clock's state against the last heartbeat, as seen by a command. */
  async clockState(now: EpochMs): Promise<ClockState> {
    return clockState(await this.readHeartbeat(), now, 0);
  }

  /** Records an operator's confirmation of the clock: running servers resume deleting expired data within a minute. */
  confirmClock(now: EpochMs): Promise<void> {
    return this.#engine.write(() => confirmClock(now, this.changes));
  }
}
