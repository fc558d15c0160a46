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

/** Tells whether another process has changed bots or embed tokens. */
export interface GenerationWatch {
  /** How often it is worth to ask: a change is to be known within a second. */
  readonly everyMs: number;
  /** True once per change since the last call, or since the watch was made. */
  poll(): Promise<boolean>;
}

/** Where trained models are. */
export interface ModelStore {
  /** The bytes of a trained intent model. */
  findIntentModel(id: string): Promise<Uint8Array | undefined>;
  /**
   * What the examples of a trained intent model mean to the encoder of this version, in bytes: empty where there is nothing to encode, undefined
   * where it has not read them.
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
  /** The database file; undefined where there is none. */
  readonly file: string | undefined;
  /** Whether another server ran on the same data when this one started. */
  readonly isShared: boolean;

  /** Tells of changes that other processes make to bots and tokens from now on. */
  watchGeneration(): Promise<GenerationWatch>;

  /** The document of a bot's version; undefined where the bot has been deleted. */
  findBotDocument(bot: Pick<BotHead, "key" | "version" | "id">): Promise<SizedDocument | undefined>;

  findEmbedToken(hash: Uint8Array): Promise<StoredEmbedToken | undefined>;

  /** What is counted of these bots in the month that holds `at`. */
  readUsage(bots: readonly BotKey[], at: EpochMs): Promise<Map<BotKey, MonthlyUsage>>;

  /** What a model server made of a text, by its SHA-256. */
  findEmbedding(model: string, textHash: Uint8Array): Promise<Float32Array | undefined>;

  /** Stores vectors of texts, by their SHA-256. */
  saveEmbeddings(model: string, vectors: ReadonlyMap<Uint8Array, Float32Array>): Promise<void>;

  /** Deletes one small step of what has expired. @returns whether there may be more. */
  deleteExpired(now: EpochMs, conversationsNotBefore: EpochMs): Promise<boolean>;

  /** Counts a start of a server, and notes its settings where they have changed. @returns how many starts there were, with this one. */
  noteStart(settings: StartSettings): Promise<number>;

  /** When a server, or an operator, last took the clock to be right; undefined before the first. */
  readHeartbeat(): Promise<EpochMs | undefined>;

  /** Notes that a server takes the clock to be right. */
  beatClock(now: EpochMs): Promise<void>;

  /** The clock as it looks from outside a running server, against the last heartbeat. */
  clockState(now: EpochMs): Promise<ClockState>;

  /** An operator has found the clock right: running servers go on deleting what has expired, within a minute. */
  confirmClock(now: EpochMs): Promise<void>;

  /** Resolves when a write as large as a long message reaches the disk. */
  assertWritable(): Promise<void>;
}
