import { SQL } from "bun";

import { startPostgres, whyNoPostgres } from "../../support/postgres-server.ts";
import { TestRedis } from "../../support/redis-server.ts";

/** A PostgreSQL server whose commits are on the disk, and a server for the token buckets, both for this run only. */
export class Databases implements AsyncDisposable {
  readonly redis: TestRedis;
  #postgres: Awaited<ReturnType<typeof startPostgres>>;
  #made = 0;

  private constructor(postgres: Awaited<ReturnType<typeof startPostgres>>, redis: TestRedis) {
    this.#postgres = postgres;
    this.redis = redis;
  }

  static async start(): Promise<Databases> {
    if (whyNoPostgres !== undefined) throw new Error(whyNoPostgres);
    return new Databases(await startPostgres({ isDurable: true, isKept: true }), await TestRedis.start());
  }

  /** An empty database. @returns its address. */
  async create(): Promise<string> {
    const name = `bench_${++this.#made}`;
    await using sql = new SQL(this.#addressOf("postgres"), { max: 1 });
    await sql.unsafe(`CREATE DATABASE ${name}`);
    return this.#addressOf(name);
  }

  /** Stops PostgreSQL as its own scripts do. */
  stopPostgres(): Promise<void> {
    return this.#postgres.stop();
  }

  /** Resolves when it answers. */
  async startPostgres(): Promise<void> {
    const { folder, port } = this.#postgres;
    this.#postgres = await startPostgres({ folder, port, isDurable: true, isKept: true });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#postgres.stop();
    // The last start deletes the folder when it ends.
    const { folder, port } = this.#postgres;
    await (await startPostgres({ folder, port })).stop();
    await this.redis[Symbol.asyncDispose]();
  }

  #addressOf(name: string): string {
    return `postgres://parley@127.0.0.1:${this.#postgres.port}/${name}`;
  }
}
