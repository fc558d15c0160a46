import type { StoreAddress } from "../../config/store-address.ts";
import type { Actor } from "../../domain/change.ts";
import type { ConversationHistory } from "../../domain/conversation.ts";
import { ServiceError } from "../../domain/errors.ts";
import type { EpochMs, Now } from "../../domain/time.ts";
import { SqlAnalytics } from "../aggregates/analytics.ts";
import { SqlStore } from "../aggregates/sql-store.ts";
import type { IdempotencyKey } from "../idempotency.ts";
import type { BotKey } from "../interface/bots.ts";
import type { Health } from "../interface/health.ts";
import type { Store } from "../interface/store.ts";
import { LatestWrite } from "../latest-write.ts";
import { LEASE_TIMES, type LeaseTimes } from "../lease-observer.ts";
import type { OnUpgrade } from "../on-upgrade.ts";
import type { CommitObservation } from "../turn-store.ts";
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
import { UnusableDatabaseError } from "../unusable-database.ts";
import { PostgresCounting } from "./analytics/turn-counting.ts";
import { PostgresTurnSource } from "./analytics/turn-source.ts";
import { findEarlierAnswer } from "./earlier-answers.ts";
import { UnsentError } from "./failure.ts";
import { finishGivenBack, finishTurn } from "./finish-turn.ts";
import { Histories } from "./histories.ts";
import { PostgresInstances } from "./instances.ts";
import { Leases } from "./leases.ts";
import { LATEST_SCHEMA, migrate, readSchemaVersion } from "./migrate.ts";
import { Pool } from "./pool.ts";
import { PostgresEngine } from "./postgres-engine.ts";
import { Reachability } from "./reachability.ts";
import { recordLive } from "./record-live.ts";
import { PostgresTurnWrites, WRITE_CONNECTIONS } from "./turn-writes.ts";
import { isHalfCopied, refuseHalfCopy } from "./unfinished-copy.ts";

export interface PostgresStoreOptions {
  address: StoreAddress;
  now: Now;
  /** Deadlines and retries of statements. */
  patience?: Patience;
  /** The actor of changes; by default, the user of this process. */
  by?: Actor;
  onCommit?: (observation: CommitObservation) => void;
  onUpgrade?: OnUpgrade | undefined;
  /** Lease times of the servers on one database. */
  lease?: LeaseTimes;
}

/** Deadline of a statement, and how long lost statements are retried. */
interface Patience {
  deadlineMs: number;
  retryMs: number;
}

/** A visitor waits: as long as for a lock of the SQLite store. */
export const SERVER_PATIENCE: Patience = { deadlineMs: 5000, retryMs: 5000 };
/** An operator waits: an erasure or a sum may be large. */
export const COMMAND_PATIENCE: Patience = { deadlineMs: 600_000, retryMs: 5000 };

/** Connections for the path of a message (except grouped writes), for answers of models, and for short reads and writes of operators and followers. */
const POOLED_CONNECTIONS = 5;
/** Connections for operators' large reads and for counting, so that visitors never wait for these. */
const LOOKING_CONNECTIONS = 3;
const PROBE_BYTES = 64 * 1024;
const REMAINS =
  "PostgreSQL takes what was deleted out of its files when it vacuums them next; its write-ahead log, and replicas, archives and dumps, keep it as long as they are kept";
/** Poll interval: with the duration of a reload, a change is known within a second. */
const WATCH_EVERY_MS = 400;

/** A store in one PostgreSQL database, which any number of servers share. */
export class PostgresStore extends SqlStore implements Store {
  readonly analytics: SqlAnalytics;
  /** A failure of PostgreSQL is temporary: each call reports it, and no call checks for an earlier one. */
  readonly health: Health;
  readonly file = undefined;
  readonly #server: Reachability;
  readonly #pool: Pool;
  readonly #writes: Pool;
  readonly #looks: Pool;
  readonly #histories: Histories;
  readonly #latestWrite = new LatestWrite();
  readonly #turns: PostgresTurnWrites;
  readonly #leases: Leases;

  private constructor(options: PostgresStoreOptions) {
    const { address, now, patience = COMMAND_PATIENCE, onCommit, lease: times = LEASE_TIMES } = options;
    const server = new Reachability(address);
    const pool = new Pool({ address, connections: POOLED_CONNECTIONS, ...patience }, server);
    const looks = new Pool({ address, connections: LOOKING_CONNECTIONS, ...patience }, server);
    const instances = new PostgresInstances(now);
    const engine = new PostgresEngine(pool);
    super({
      engine,
      // Failures of PostgreSQL are temporary, so that this engine needs no check.
      sound: engine,
      assertSound: () => {},
      looks: new PostgresEngine(looks),
      now,
      by: options.by,
      instance: instances,
      recordLive: (record) => recordLive(pool, record),
      wipeFiles: async () => ({ isRewritten: true, isLogEmpty: true, remains: REMAINS }),
      watchEveryMs: WATCH_EVERY_MS,
    });
    this.health = {
      failure: undefined,
      assertSound: () => {},
      assertWriting: () => this.#latestWrite.assertSucceeded(),
      noticeFailure: () => {},
    };
    this.#pool = pool;
    this.#looks = looks;
    this.#server = server;
    this.#writes = new Pool({ address, connections: WRITE_CONNECTIONS, ...patience }, server);
    this.analytics = new SqlAnalytics({
      engine: new PostgresEngine(looks),
      now,
      counting: new PostgresCounting(looks),
      turns: new PostgresTurnSource(looks),
      sliceMs: Infinity,
    });
    this.#histories = new Histories(pool);
    this.#turns = new PostgresTurnWrites({ pool: this.#writes, instances, ...(onCommit && { onCommit }) });
    this.#leases = new Leases({ pool, instances, times, finish: (result) => this.#finish(result) });
  }

  /**
   * Connects, and migrates the schema to this version.
   *
   * @throws UnusableDatabaseError with the remedy in its message.
   */
  static async open(options: PostgresStoreOptions): Promise<PostgresStore> {
    const store = new PostgresStore(options);
    try {
      await refuseHalfCopy(store.#pool, options.address);
      await migrate(store.#pool, options.address, options);
      return store;
    } catch (error) {
      await store.#close();
      throw explainOpening(options.address, error);
    }
  }

  /** Whether the database holds anything of Parley. @throws UnusableDatabaseError if it is unreachable. */
  static async isThere(address: StoreAddress): Promise<boolean> {
    return (await PostgresStore.look(address)) !== "empty";
  }

  /** The state of the database; nothing is changed. @throws UnusableDatabaseError if it is unreachable. */
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

  findConversation(id: string, bot: BotKey, notBefore: EpochMs): Promise<ConversationHistory | undefined> {
    return this.#histories.find(id, bot, notBefore);
  }

  findEarlierAnswer(key: IdempotencyKey, now: EpochMs): Promise<EarlierAnswer | undefined> {
    return findEarlierAnswer(this.#pool, key, now);
  }

  recordTurn(record: TurnToRecord): Promise<RecordOutcome> {
    return this.#latestWrite.watch(this.#turns.record(record));
  }

  /** If it rejects, the turn may have begun all the same: it is given back once that can be written. */
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
      // If the database is unreachable, the server stays registered until its lease has run out.
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

/** The error for an operator when opening the database fails. */
export function explainOpening(address: StoreAddress, error: unknown): unknown {
  if (!(error instanceof ServiceError)) return error;
  const reason = error.cause instanceof Error ? error.cause.message : error.message;
  return new UnusableDatabaseError(`cannot use ${address.shown}: ${reason}`, { cause: error });
}
