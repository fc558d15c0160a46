import type { StoreAddress } from "../../config/store-address.ts";
import { Connection, type Parameter, type Queries, type Rows, type Transaction } from "./connection.ts";
import { DeadlineError, isConflict, isLost, postgresFailure } from "./failure.ts";
import type { Reachability } from "./reachability.ts";

interface PoolOptions {
  address: StoreAddress;
  connections: number;
  /** Deadline of a statement. */
  deadlineMs: number;
  /** How long lost and conflicting statements are retried. */
  retryMs: number;
}

/** How long running statements may take to end when the pool is closed. Chosen by hand. */
const LAST_STATEMENTS_MS = 2000;
const FIRST_PAUSE_MS = 10;
const MAX_PAUSE_MS = 250;

/** Connections that serve one caller at a time each. Failures of storage are retried for a while. */
export class Pool implements Queries, AsyncDisposable {
  readonly #options: PoolOptions;
  readonly #all: Connection[] = [];
  readonly #idle: Connection[] = [];
  readonly #waiting = new Set<(connection: Connection) => void>();
  readonly #server: Reachability | undefined;
  #isClosed = false;

  /** @param server shared by all pools of a store; without it, every caller retries alone. */
  constructor(options: PoolOptions, server?: Reachability) {
    this.#options = options;
    this.#server = server;
  }

  /** For a statement that may run twice. @throws ServiceError STORAGE_UNAVAILABLE */
  query<Row = unknown>(text: string, parameters: readonly Parameter[] = []): Promise<Rows<Row>> {
    return this.run((connection) => connection.query<Row>(text, parameters));
  }

  /**
   * Runs `work` in a transaction. If the connection is lost during COMMIT, its effect is unknown, and it is not retried.
   *
   * @throws ServiceError STORAGE_UNAVAILABLE
   */
  transaction<Result>(work: (queries: Transaction) => Promise<Result>): Promise<Result> {
    return this.run(async (connection) => {
      let isCommitting = false;
      try {
        return await connection.transaction(async (queries) => {
          const result = await work(queries);
          isCommitting = true;
          return result;
        });
      } catch (error) {
        throw isCommitting && isLost(error) ? postgresFailure(error) : error;
      }
    });
  }

  /**
   * Runs the work on a connection, and retries for a while after a lost connection or a conflict.
   *
   * @param work receives the number of earlier attempts, which may have taken effect.
   * @throws ServiceError STORAGE_UNAVAILABLE
   */
  async run<Result>(work: (connection: Connection, attempt: number) => Promise<Result>): Promise<Result> {
    const deadline = performance.now() + this.#options.retryMs;
    this.#server?.assertNotDown();
    for (let attempt = 0; ; attempt += 1) {
      const connection = this.#idle.pop() ?? (await this.#take());
      try {
        return await work(connection, attempt);
      } catch (error) {
        const mayHeal = isConflict(error) || (isLost(error) && !this.#server?.isDown);
        const isOver = performance.now() >= deadline;
        if (isOver && isLost(error)) this.#server?.suspect();
        if (!mayHeal || this.#isClosed || isOver) throw postgresFailure(error);
      } finally {
        this.#giveBack(connection);
      }
      await Bun.sleep(Math.min(FIRST_PAUSE_MS * 2 ** attempt, MAX_PAUSE_MS));
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#isClosed = true;
    const deadline = performance.now() + LAST_STATEMENTS_MS;
    while (this.#idle.length < this.#all.length && performance.now() < deadline) await Bun.sleep(2);
    await Promise.all(this.#all.map((connection) => connection[Symbol.asyncDispose]()));
  }

  #take(): Connection | Promise<Connection> {
    if (this.#all.length >= this.#options.connections) return this.#wait();
    const made = new Connection(this.#options.address, this.#options.deadlineMs);
    this.#all.push(made);
    return made;
  }

  /** A caller waits for a connection no longer than for a statement: otherwise the queue would grow while a server hangs. */
  #wait(): Promise<Connection> {
    const { promise, resolve, reject } = Promise.withResolvers<Connection>();
    const timer = setTimeout(() => {
      this.#waiting.delete(take);
      reject(postgresFailure(new DeadlineError("no connection to PostgreSQL was free in time")));
    }, this.#options.deadlineMs);
    const take = (connection: Connection) => {
      clearTimeout(timer);
      resolve(connection);
    };
    this.#waiting.add(take);
    return promise;
  }

  #giveBack(connection: Connection): void {
    const [next] = this.#waiting;
    if (!next) return void this.#idle.push(connection);
    this.#waiting.delete(next);
    next(connection);
  }
}
