import { type InstanceId, newInstanceId, secureRandomBytes } from "../../domain/ids.ts";
import type { Now } from "../../domain/time.ts";
import type { Heartbeat } from "../lease-observer.ts";
import type { Queries } from "./connection.ts";

/** Servers that run on this database, each with a heartbeat; this one is `own`. */
export class PostgresInstances {
  readonly #now: Now;
  #own: InstanceId;
  #build: string | null = null;
  #encoder: string | null = null;
  /** Whether this server has registered itself; others may have taken it for dead since. */
  isEntered = false;

  constructor(now: Now) {
    this.#now = now;
    this.#own = newInstanceId(now(), secureRandomBytes);
  }

  /** This server's latest instance id. */
  get own(): InstanceId {
    return this.#own;
  }

  /** Registers this server under a new id: turns begun under an earlier id may have been given back. */
  async join(queries: Queries): Promise<void> {
    const own = newInstanceId(this.#now(), secureRandomBytes);
    await queries.query(
      "INSERT INTO instances (id, started_at, heartbeat, asset_build, encoder) VALUES ($1, $2, 0, $3, $4)",
      [own, this.#now(), this.#build, this.#encoder],
    );
    this.#own = own;
    this.isEntered = true;
  }

  /** Records the build that this server runs, also for later registrations; its files are kept while the server is registered. */
  noteBuild(build: string): void {
    this.#build = build;
  }

  /** Records the encoder that this server runs, also for later registrations; its vectors are kept while the server is registered. */
  noteEncoder(encoder: string): void {
    this.#encoder = encoder;
  }

  /** @returns false if this server is not registered, or another has taken it for dead. */
  async beat(queries: Queries): Promise<boolean> {
    const beaten = await queries.query(
      "UPDATE instances SET heartbeat = heartbeat + 1 WHERE id = $1 RETURNING 1",
      [this.#own],
    );
    return beaten.length === 1;
  }

  async listOthers(queries: Queries): Promise<Heartbeat[]> {
    return queries.query<Heartbeat>(
      "SELECT id, heartbeat::float8 AS heartbeat FROM instances WHERE id <> $1",
      [this.#own],
    );
  }

  /** Whether this server is the only registered one. */
  async isOnly(queries: Queries): Promise<boolean> {
    const [first, ...others] = await queries.query<{ id: InstanceId }>("SELECT id FROM instances LIMIT 2");
    return first?.id === this.#own && others.length === 0;
  }

  /** Removes this server, unless it leaves turns for others to give back. */
  async leave(queries: Queries): Promise<void> {
    await queries.query(
      `DELETE FROM instances
       WHERE id = $1 AND NOT EXISTS (SELECT FROM turns_in_flight WHERE instance_id = instances.id)`,
      [this.#own],
    );
  }
}
