import { join } from "node:path";

import type { Database } from "better-sqlite3";

import type { Actor } from "../../domain/change.ts";
import type { ConversationHistory } from "../../domain/conversation.ts";
import { ServiceError } from "../../domain/errors.ts";
import type { EpochMs, Now } from "../../domain/time.ts";
import { SqlAnalytics } from "../aggregates/analytics.ts";
import { findTurn } from "../aggregates/conversations.ts";
import { SqlStore } from "../aggregates/sql-store.ts";
import { DAY_MS } from "../analytics/count-sums.ts";
import type { IdempotencyKey } from "../idempotency.ts";
import type { BotKey } from "../interface/bots.ts";
import type { StorageFailure } from "../interface/health.ts";
import type { Store } from "../interface/store.ts";
import { LEASE_TIMES, type LeaseTimes } from "../lease-observer.ts";
import type { OnUpgrade } from "../on-upgrade.ts";
import { sql } from "../sql/sql.ts";
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
import type { CommitObservation } from "../turn-store.ts";
import { SqliteCounting } from "./analytics/turn-counting.ts";
import { SqliteTurnSource } from "./analytics/turn-source.ts";
import { eraseWords } from "./analytics/word-index.ts";
import { CommitQueue } from "./commit-queue.ts";
import { openDatabase } from "./database.ts";
import { sqliteCode } from "./failure.ts";
import { OpenFiles } from "./file-identity.ts";
import { StorageHealth } from "./health.ts";
import type { IdempotencyRecords } from "./idempotency-records.ts";
import { runNow, SqliteEngine } from "./sqlite-engine.ts";
import { TurnLeases } from "./turn-leases.ts";
import { openTurnTables, SqliteTurnWrites } from "./turn-writes.ts";
import type { SqliteTurns } from "./turns.ts";
import { wipeFiles } from "./wipe-files.ts";

export interface OpenStoreOptions {
  /** Folder of `parley.db`, or `:memory:` for a store that ends with the process. */
  dataDir: string;
  now: Now;
  /** How long a statement blocks while another process writes; 0 in a server, which retries without blocking. */
  busyTimeoutMs: number;
  /** The actor of changes; by default, the user of this process. */
  by?: Actor;
  onCommit?: (observation: CommitObservation) => void;
  onUpgrade?: OnUpgrade | undefined;
  /** Lease times of the servers on one folder. */
  lease?: LeaseTimes;
  /** Called once, when writes can no longer be trusted to be durable. */
  onFailure?: (failure: StorageFailure) => void;
}

const PROBE_BYTES = 64 * 1024;
/** Ten days of sums take some milliseconds for a hundred bots. */
const SLICE_MS = 10 * DAY_MS;

/** Poll interval for changes of bots and tokens: a poll costs some microseconds. */
const WATCH_EVERY_MS = 200;

/**
 * Connections that stay open until the process ends. Closing one would write the log into the database and delete the log by its path, but
 * once storage has failed, the log may hold data that never was on disk, and the path may be another database's. The next process that opens
 * the database reads what is on disk. The set prevents the garbage collector from closing them.
 */
const ABANDONED = new Set<Database>();

/** A store in one SQLite file. Its parts answer synchronously; the interface is asynchronous for both engines. */
export class SqliteStore extends SqlStore implements Store {
  readonly analytics: SqlAnalytics;
  readonly health: StorageHealth;
  /** Undefined if the store is in memory. */
  readonly file: string | undefined;
  readonly #db: Database;
  readonly #idempotency: IdempotencyRecords;
  readonly #log: SqliteTurns;
  readonly #turns: SqliteTurnWrites;
  readonly #leases: TurnLeases;
  readonly #commits: CommitQueue;

  /** @throws UnusableDatabaseError with the remedy in its message. */
  constructor(options: OpenStoreOptions) {
    const { dataDir, now, onCommit, onFailure } = options;
    const file = dataDir === ":memory:" ? undefined : join(dataDir, "parley.db");
    // Closed at once if a later step throws.
    using opening = new DisposableStack();
    const db = opening.adopt(
      openDatabase(file ?? dataDir, options.busyTimeoutMs, options.onUpgrade),
      (opened) => opened.close(),
    );
    const health = new StorageHealth({
      db,
      files: file === undefined ? undefined : new OpenFiles(db, file),
      ...(onFailure && { onFailure }),
    });
    const tables = openTurnTables(db, now);
    const { log, usage, counting, idempotency, instances } = tables;
    const commits = new CommitQueue(db, {
      guard: health,
      members: [usage, log],
      ...(onCommit && { onCommit }),
    });
    const queue = options.busyTimeoutMs === 0 ? commits : undefined;
    const { noticing, guarding, reading: read } = health;
    const engine = new SqliteEngine({ db, queue, guarded: queue ? guarding : noticing });
    const sound = new SqliteEngine({ db, queue, guarded: read });
    const turns = new SqliteTurnWrites(tables);
    super({
      engine,
      sound,
      assertSound: () => health.assertSound(),
      looks: engine,
      now,
      by: options.by,
      instance: instances,
      recordLive: (record) => commits.run(() => turns.recordLive(record, (work) => runNow(db, work))),
      onHandoffChanged: (id) => log.forgetTail(id),
      beforeErasing: () => log.forgetTails(),
      afterErasing: () => eraseWords(db),
      wipeFiles: async (most) => noticing(() => wipeFiles(db, most)),
      watchEveryMs: WATCH_EVERY_MS,
    });
    this.file = file;
    this.health = health;
    this.#db = db;
    this.#log = log;
    this.#commits = commits;
    this.#turns = turns;
    this.#idempotency = idempotency;
    this.analytics = new SqlAnalytics({
      engine: sound,
      now,
      counting: new SqliteCounting({ counting, write: (work) => commits.run(work), read }),
      turns: new SqliteTurnSource(db, sound),
      sliceMs: SLICE_MS,
    });
    this.#leases = new TurnLeases({
      commits,
      read,
      instances,
      turns,
      times: options.lease ?? LEASE_TIMES,
      claimFile: file === undefined ? undefined : join(dataDir, "parley.lock"),
    });
    opening.move();
  }

  async findConversation(
    id: string,
    bot: BotKey,
    notBefore: EpochMs,
  ): Promise<ConversationHistory | undefined> {
    return this.health.reading(() => this.#log.find(id, bot, notBefore));
  }

  async findEarlierAnswer(key: IdempotencyKey, now: EpochMs): Promise<EarlierAnswer | undefined> {
    return this.health.reading((): EarlierAnswer | undefined => {
      const record = this.#idempotency.find(key, now);
      if (!record) return undefined;
      const { bodyHash } = record;
      if (record.isRunning === 1) return { state: "running", bodyHash };
      const turn = runNow(this.#db, findTurn(sql`turns.key = ${record.turn}`));
      return turn && { state: turn.state === "unanswered" ? "unanswered" : "answered", bodyHash, turn };
    });
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

  /** Resolves once a write as large as a long message is on disk. @throws ServiceError STORAGE_UNAVAILABLE */
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
      // If another process writes, or the disk is full, the server stays registered until its lease has run out.
      this.#attemptLast(() => this.#leases.leave());
      // On a full disk the write-ahead log stays. Nothing is lost: the next process that opens the file reads it.
      this.#attemptLast(() => this.#db.pragma("wal_checkpoint(TRUNCATE)"));
    } finally {
      if (this.health.failure) ABANDONED.add(this.#db);
      else this.#db.close();
      this.#leases[Symbol.dispose]();
    }
  }

  /** A last step, which may fail with storage, and is skipped once storage has failed. */
  #attemptLast(act: () => void): void {
    if (this.health.failure) return;
    try {
      act();
    } catch (error) {
      if (sqliteCode(error) === undefined) throw error;
      this.health.noticeFailure(error);
    }
  }
}
