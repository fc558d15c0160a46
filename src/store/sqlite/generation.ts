import type { Database } from "better-sqlite3";

/** How often each connection has changed bots or embed tokens by itself, which `data_version` does not tell it. */
const ownChanges = new WeakMap<Database, number>();

/** Says, inside the writer's transaction, that bots or embed tokens have changed. */
export function bumpGeneration(db: Database): void {
  ownChanges.set(db, (ownChanges.get(db) ?? 0) + 1);
  db.prepare("UPDATE registry SET generation = generation + 1").run();
}

/**
 * Tells whether this process or another has changed bots or embed tokens. `data_version` costs no read of the file, and changes when
 * another connection commits anything; what this connection changes is counted. Only then the generation is read: it changes with bots
 * and embed tokens alone.
 */
export class SqliteGenerationWatch {
  /** A look costs a microsecond. */
  readonly everyMs = 200;
  readonly #db: Database;
  #dataVersion: number;
  #ownChanges: number;
  #generation: number;

  constructor(db: Database) {
    this.#db = db;
    this.#dataVersion = this.#readDataVersion();
    this.#ownChanges = this.#countOwnChanges();
    this.#generation = this.#readGeneration();
  }

  /** True once per change since the last call, or since construction. */
  async poll(): Promise<boolean> {
    const dataVersion = this.#readDataVersion();
    const own = this.#countOwnChanges();
    if (dataVersion === this.#dataVersion && own === this.#ownChanges) return false;
    const generation = this.#readGeneration();
    const changed = generation !== this.#generation;
    this.#dataVersion = dataVersion;
    this.#ownChanges = own;
    this.#generation = generation;
    return changed;
  }

  #countOwnChanges(): number {
    return ownChanges.get(this.#db) ?? 0;
  }

  #readDataVersion(): number {
    return Number(this.#db.pragma("data_version", { simple: true }));
  }

  #readGeneration(): number {
    return Number(this.#db.prepare("SELECT generation FROM registry").pluck().get());
  }
}
