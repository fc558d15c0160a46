import type { Database, Statement } from "better-sqlite3";

import type { GenerationWatch } from "../interface/store.ts";

/** Says, inside the writer's transaction, that bots or embed tokens have changed. */
export function bumpGeneration(db: Database): void {
  db.prepare("UPDATE registry SET generation = generation + 1").run();
}

/** Tells whether this process or another has changed bots or embed tokens, by the one row that changes with them. */
export class SqliteGenerationWatch implements GenerationWatch {
  /** A look costs some microseconds. */
  readonly everyMs = 200;
  readonly #read: Statement<[], number>;
  #generation: number;

  constructor(db: Database) {
    this.#read = db.prepare<[], number>("SELECT generation FROM registry").pluck();
    this.#generation = this.#read.get()!;
  }

  /** True once per change since the last call, or since construction. */
  async poll(): Promise<boolean> {
    const generation = this.#read.get()!;
    const changed = generation !== this.#generation;
    this.#generation = generation;
    return changed;
  }
}
