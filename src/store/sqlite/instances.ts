import type { Database, Statement } from "better-sqlite3";

import { type InstanceId, newInstanceId, secureRandomBytes } from "../../domain/ids.ts";
import type { Now } from "../../domain/time.ts";
import type { Heartbeat } from "../lease-observer.ts";

/**
 * Servers that run on this database, each with a heartbeat; this one is `own`. Writes are part of the caller's transaction, and may run again
 * after a rollback: an id that was rolled back is never used by another server.
 */
export class SqliteInstances {
  readonly #now: Now;
  readonly #add: Statement<[InstanceId, number, string | null, string | null]>;
  readonly #beat: Statement<[InstanceId]>;
  readonly #list: Statement<[], Heartbeat>;
  readonly #has: Statement<[InstanceId], 1>;
  readonly #isAt: Statement<[InstanceId, number], 1>;
  readonly #remove: Statement<[InstanceId]>;
  readonly #removeIdle: Statement<[InstanceId]>;
  readonly #removeAll: Statement<[]>;
  #own: InstanceId;
  #build: string | null = null;
  #encoder: string | null = null;

  constructor(db: Database, now: Now) {
    this.#now = now;
    this.#own = newInstanceId(now(), secureRandomBytes);
    this.#add = db.prepare(
      "INSERT INTO instances (id, started_at, heartbeat, asset_build, encoder) VALUES (?, ?, 0, ?, ?)",
    );
    this.#beat = db.prepare("UPDATE instances SET heartbeat = heartbeat + 1 WHERE id = ?");
    this.#list = db.prepare("SELECT id, heartbeat FROM instances");
    this.#has = db.prepare("SELECT 1 FROM instances WHERE id = ?").pluck() as Statement<[InstanceId], 1>;
    this.#isAt = db.prepare("SELECT 1 FROM instances WHERE id = ? AND heartbeat = ?").pluck() as Statement<
      [InstanceId, number],
      1
    >;
    this.#remove = db.prepare("DELETE FROM instances WHERE id = ?");
    this.#removeIdle = db.prepare(`
      DELETE FROM instances
      WHERE id = ? AND NOT EXISTS (SELECT 1 FROM turns_in_flight WHERE instance_id = instances.id)`);
    this.#removeAll = db.prepare("DELETE FROM instances");
  }

  /** This server's latest instance id. */
  get own(): InstanceId {
    return this.#own;
  }

  /** Registers this server under a new id: turns begun under an earlier id may have been given back. */
  join(): void {
    this.#own = newInstanceId(this.#now(), secureRandomBytes);
    this.#add.run(this.#own, this.#now(), this.#build, this.#encoder);
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
  beat(): boolean {
    return this.#beat.run(this.#own).changes === 1;
  }

  /** Whether this server is the only registered one. */
  isOnly(): boolean {
    const [first, ...others] = this.#list.all();
    return first?.id === this.#own && others.length === 0;
  }

  listOthers(): Heartbeat[] {
    return this.#list.all().filter(({ id }) => id !== this.#own);
  }

  has(id: InstanceId): boolean {
    return this.#has.get(id) !== undefined;
  }

  /** Whether the server's heartbeat has not changed since. */
  isAt({ id, heartbeat }: Heartbeat): boolean {
    return this.#isAt.get(id, heartbeat) !== undefined;
  }

  /** Removes a server that has no turns in flight. */
  remove(id: InstanceId): void {
    this.#remove.run(id);
  }

  /** Removes this server, unless it leaves turns for others to give back. */
  leave(): void {
    this.#removeIdle.run(this.#own);
  }

  removeAll(): void {
    this.#removeAll.run();
  }
}
