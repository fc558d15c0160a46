import type { StoreAddress } from "../../config/store-address.ts";
import { Connection, type Parameter, type Queries, type Rows, type Transaction } from "./connection.ts";
import { DeadlineError, isConflict, isLost, postgresFailure } from "./failure.ts";
import type { Reachability } from "./reachability.ts";

interface PoolOptions {
  address: StoreAddress;
  connections: number;
  /** How long a statement may take. */
  deadlineMs: number;
  /** How long what was lost, or in another's way, is tried again. */
  retryMs: number;
}

/** How long what is on its way may take to end when the pool is closed. */
const LAST_STATEMENTS_MS = 2000;
const FIRST_PAUSE_MS = 10;
const LONGEST_PAUSE_MS = 250;

/** Some connections, each of which serves one caller at a time. What fails as storage may is tried again for a while. */
export class Pool implements Queries, AsyncDisposable {
  readonly #options: PoolOptions;
  readonly #all: Connection[] = [];
  readonly #idle: Connection[] = [];
  readonly #waiting = new Set<(connection: Connection) => void>();
  readonly #server: Reachability | undefined;
  #isClosed = false;

  /** @param server what all pools of a store know of it; of one that is alone, every caller tries for itself. */
  constructor(options: PoolOptions, server?: Reachability) {
    this.#options = options;
    this.#server = server;
  }

  /** For a statement that may be run twice. @throws ServiceError STORAGE_UNAVAILABLE */
  query<Row = unknown>(text: string, parameters: readonly Parameter[] = []): Promise<Rows<Row>> {
    return this.run((connection) => connection.query<Row>(text, parameters));
  }

  /**
   * All that `work` does, or nothing. Where the connection is lost while it is committed, nobody knows which, and it is not tried again.
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
   * Does the work on a connection, and again for a while where that was lost, or another transaction was in the way.
   *
   * @param work is told how often it was tried before; what was tried may have been done.
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
      await Bun.sleep(Math.min(FIRST_PAUSE_MS * 2 ** attempt, LONGEST_PAUSE_MS));
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

  /** Whoever waits, waits no longer than a statement may take: behind a server that is frozen, the queue would grow. */
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
