import type { EpochMs } from "../../domain/time.ts";
import type { ClockState } from "../clock-guard.ts";
import type { LeaseStore, TurnStore } from "../turn-store.ts";
import type { Actions } from "./actions.ts";
import type { Analytics } from "./analytics.ts";
import type { Assets } from "./assets.ts";
import type { Audit } from "./audit.ts";
import type { BotDrafts, BotHead, BotKey, Bots, SizedDocument } from "./bots.ts";
import type { Changes, StartSettings } from "./changes.ts";
import type { ConversationFinder, Conversations, Erasure } from "./conversations.ts";
import type { EmbedTokens, StoredEmbedToken } from "./embed-tokens.ts";
import type { Ratings, Handoffs } from "./handoffs.ts";
import type { Health } from "./health.ts";
import type { Knowledge } from "./knowledge.ts";
import type { OperatorKeys, OperatorSessions, Operators } from "./operators.ts";
import type { Outbox } from "./outbox.ts";
import type { MonthlyUsage, Usage } from "./usage.ts";
import type { Vectors } from "./vectors.ts";

/** Detects changes of bots and embed tokens by other processes. */
export interface GenerationWatch {
  /** Interval between two polls, so that a change is known within a second. */
  readonly everyMs: number;
  /** True once after each change since the last call, or since the watch was opened. */
  poll(): Promise<boolean>;
}

/** Stored intent models. */
export interface ModelStore {
  /** The bytes of a trained intent model. */
  findIntentModel(id: string): Promise<Uint8Array | undefined>;
  /**
   * The vectors that the encoder of this version made of an intent model's examples, in bytes: empty if there is nothing to encode,
   * undefined if it has not encoded them.
   */
  findSentenceModel(id: string, encoder: string): Promise<Uint8Array | undefined>;
  hasIntentModel(id: string): Promise<boolean>;
}

/** Everything that is kept, whatever the engine. Every method may reject with ServiceError STORAGE_UNAVAILABLE. */
export interface Store extends TurnStore, LeaseStore, ModelStore, AsyncDisposable {
  readonly actions: Actions;
  readonly bots: Bots;
  readonly botDrafts: BotDrafts;
  readonly embedTokens: EmbedTokens;
  readonly conversations: Conversations;
  readonly conversationSearch: ConversationFinder;
  readonly erasure: Erasure;
  readonly usage: Usage;
  readonly audit: Audit;
  readonly changes: Changes;
  readonly knowledge: Knowledge;
  readonly feedback: Ratings;
  readonly handoffs: Handoffs;
  readonly outbox: Outbox;
  readonly operators: Operators;
  readonly operatorSessions: OperatorSessions;
  readonly operatorKeys: OperatorKeys;
  readonly analytics: Analytics;
  readonly assets: Assets;
  readonly vectors: Vectors;
  readonly health: Health;
  /** Path of the database file; undefined for PostgreSQL and in memory. */
  readonly file: string | undefined;
  /** Whether another server ran on the same data when this one started. */
  readonly isShared: boolean;

  /** Begins to watch for changes of bots and embed tokens by other processes. */
  watchGeneration(): Promise<GenerationWatch>;

  /** The document of a bot's version; undefined where the bot has been deleted. */
  findBotDocument(bot: Pick<BotHead, "key" | "version" | "id">): Promise<SizedDocument | undefined>;

  findEmbedToken(hash: Uint8Array): Promise<StoredEmbedToken | undefined>;

  /** The usage of these bots in the month that holds `at`. */
  readUsage(bots: readonly BotKey[], at: EpochMs): Promise<Map<BotKey, MonthlyUsage>>;

  /** The stored embedding of a text, by the text's SHA-256. */
  findEmbedding(model: string, textHash: Uint8Array): Promise<Float32Array | undefined>;

  /** Stores embeddings of texts, by the SHA-256 of each text. */
  saveEmbeddings(model: string, vectors: ReadonlyMap<Uint8Array, Float32Array>): Promise<void>;

  /** Deletes one small step of expired rows. @returns whether there may be more. */
  deleteExpired(now: EpochMs, conversationsNotBefore: EpochMs): Promise<boolean>;

  /** Counts a start of a server, and records a change if its settings differ. @returns number of starts, including this one. */
  noteStart(settings: StartSettings): Promise<number>;

  /** When a server or an operator last found the clock right; undefined before the first time. */
  readHeartbeat(): Promise<EpochMs | undefined>;

  /** Records that a server finds the clock right. */
  beatClock(now: EpochMs): Promise<void>;

  /** The clock's state against the last heartbeat, as seen by a command. */
  clockState(now: EpochMs): Promise<ClockState>;

  /** Records an operator's confirmation of the clock: running servers resume deleting expired data within a minute. */
  confirmClock(now: EpochMs): Promise<void>;

  /** Resolves once a write as large as a long message is on disk. */
  assertWritable(): Promise<void>;
}
