import type { Database } from "better-sqlite3";

/** Says, inside the writer's transaction, that bots or embed tokens have changed. */
export function bumpRegistry(db: Database): void {
  db.prepare("UPDATE registry SET generation = generation + 1").run();
}

/**
 * Tells whether another process has changed bots or embed tokens. `data_version` costs no read of the file, and changes when
 * another connection commits anything. Only then the generation is read: it changes with bots and embed tokens alone.
 */
export class RegistryWatch {
  /** A look costs a microsecond. */
  readonly everyMs = 200;
  readonly #db: Database;
  #dataVersion: number;
  #generation: number;

  constructor(db: Database) {
    this.#db = db;
    this.#dataVersion = this.#readDataVersion();
    this.#generation = this.#readGeneration();
  }

  /** True once per change since the last call, or since construction. */
  async poll(): Promise<boolean> {
    const dataVersion = this.#readDataVersion();
    if (dataVersion === this.#dataVersion) return false;
    const generation = this.#readGeneration();
    const changed = generation !== this.#generation;
    this.#dataVersion = dataVersion;
    this.#generation = generation;
    return changed;
  }

  #readDataVersion(): number {
    return Number(this.#db.pragma("data_version", { simple: true }));
  }

  #readGeneration(): number {
    return Number(this.#db.prepare("SELECT generation FROM registry").pluck().get());
  }
}
