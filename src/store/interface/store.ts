import type { SqlAnalytics } from "../aggregates/analytics.ts";
import type { SqlGenerationWatch } from "../aggregates/generation.ts";
import type { SqlStore } from "../aggregates/sql-store.ts";
import type { LeaseStore, TurnStore } from "../turn-store.ts";
import type { Health } from "./health.ts";

/** Methods that only other parts of the store call, inside their own transactions. */
interface WithinStore {
  bots: "findSized";
  changes: "actor" | "append" | "addExpired";
  erasure: "erasing";
  usage: "readAll";
}

/** The public members of a class, so that tests can stand in for it. */
type Public<Class, Except = never> = Pick<Class, Exclude<keyof Class, Except>>;

type Parts = {
  [Name in Exclude<keyof SqlStore, keyof TurnStore>]: SqlStore[Name] extends (...given: never[]) => unknown
    ? SqlStore[Name]
    : Public<SqlStore[Name], Name extends keyof WithinStore ? WithinStore[Name] : never>;
};

/** Everything that is kept, whatever the engine. Every method may reject with ServiceError STORAGE_UNAVAILABLE. */
export interface Store extends Parts, TurnStore, LeaseStore, AsyncDisposable {
  readonly analytics: Public<SqlAnalytics>;
  readonly health: Health;
  /** Path of the database file; undefined for PostgreSQL and in memory. */
  readonly file: string | undefined;
  /** Whether another server ran on the same data when this one started. */
  readonly isShared: boolean;
  /** Resolves once a write as large as a long message is on disk. */
  assertWritable(): Promise<void>;
}

export type Actions = Store["actions"];
export type Analytics = Store["analytics"];
export type Assets = Store["assets"];
export type Audit = Store["audit"];
export type Bots = Store["bots"];
export type Changes = Store["changes"];
export type ConversationFinder = Store["conversationSearch"];
export type Conversations = Store["conversations"];
export type Erasure = Store["erasure"];
export type GenerationWatch = Public<SqlGenerationWatch>;
export type Handoffs = Store["handoffs"];
export type Knowledge = Store["knowledge"];
export type Outbox = Store["outbox"];
export type Ratings = Store["feedback"];
export type Usage = Store["usage"];
export type Vectors = Store["vectors"];

/** Stored intent models. */
export type ModelStore = Pick<Store, "findIntentModel" | "findSentenceModel" | "hasIntentModel">;
