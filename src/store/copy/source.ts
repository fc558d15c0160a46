import { join } from "node:path";

import type { Database } from "better-sqlite3";

import { sha256 } from "../../domain/sha256.ts";
import type { Now } from "../../domain/time.ts";
import { TurnCounting } from "../analytics/turn-counting.ts";
import { holdFolder } from "../backup/hold-folder.ts";
import { openDatabase } from "../database.ts";
import { IdempotencyStore } from "../idempotency.ts";
import { InstanceStore } from "../instances.ts";
import { LATEST_SCHEMA } from "../migrate.ts";
import { TurnLog } from "../turn-log.ts";
import { TurnWrites } from "../turn-writes.ts";
import { TurnsInFlight } from "../turns-in-flight.ts";
import { UsageStore } from "../usage.ts";
import { allColumns, type Column, type CopiedTable } from "./copied-table.ts";
import { CopyError } from "./errors.ts";
import { type Row, sizeOf, storableValue, type Value } from "./rows.ts";

/** Where a table has been read up to: the values of its `order`. */
export type Place = readonly Value[];

export interface Batch {
  /** Values of each row, in the order of the table's columns, as PostgreSQL takes them. */
  rows: Value[][];
  /** Of the last row. */
  end: Place;
}

/** How long it waits for a command that writes to the folder. */
const BUSY_TIMEOUT_MS = 5000;
/** One statement's: larger ones were no faster. */
const MOST_ROWS = 500;
/** Models are large: whatever the rows are, a batch takes a few times this in memory. */
const MOST_BYTES = 4 * 1024 * 1024;

/**
 * A data folder that is copied. While it is open, no server runs on the folder, and nobody writes to its database, which stays as it is but
 * for two things: it is brought up to this version, and turns that a killed server left unfinished are given back.
 */
export class CopySource implements Disposable {
  readonly database: string;
  readonly #held: Disposable;
  readonly #db: Database;

  /**
   * @throws CopyError where a server runs on the folder.
   * @throws UnusableDatabaseError where its database cannot be used.
   */
  constructor(dataDir: string, now: Now) {
    this.database = join(dataDir, "parley.db");
    const held = holdFolder(dataDir);
    if (!held) throw new CopyError(`a server runs on ${dataDir}; stop it, and try again`);
    this.#held = held;
    try {
      this.#db = openSettled(this.database, now);
    } catch (error) {
      held[Symbol.dispose]();
      throw error;
    }
  }

  /** What tells this folder in this state from any other, and from itself when it has been used since. */
  fingerprint(): string {
    const read = (sql: string) => this.#db.prepare(sql).raw().all();
    const facts = [
      LATEST_SCHEMA,
      read("SELECT key, id, version, enabled, updated_at FROM bots ORDER BY key"),
      read("SELECT key, at, kind, subject, fields FROM changes ORDER BY key DESC LIMIT 1"),
      read("SELECT key, request_id, state FROM turns ORDER BY key DESC LIMIT 1"),
      read("SELECT starts FROM server_starts"),
      read("SELECT heartbeat_at FROM clock"),
    ];
    return sha256(JSON.stringify(facts)).toString("hex");
  }

  count({ name }: Pick<CopiedTable, "name">): number {
    return this.#db.prepare<[], number>(`SELECT count(*) FROM ${name}`).pluck().get()!;
  }

  /** The next rows behind a place; undefined where there are none. */
  read(table: CopiedTable, after: Place | undefined): Batch | undefined {
    const { name, columns, order } = table;
    const keys = order.map((key) => `${name}.${key}`).join(", ");
    const ends = order.map((key, index) => `${name}.${key} AS end_${index}`);
    const behind = after ? `WHERE (${keys}) > (${order.map(() => "?").join(", ")})` : "";
    const select = this.#db.prepare<unknown[], Row>(
      `SELECT ${[...columns.map((column) => selected(table, column)), ...ends].join(", ")} FROM ${name} ${behind} ORDER BY ${keys}`,
    );
    const rows: Row[] = [];
    let bytes = 0;
    for (const row of select.iterate(...(after ?? []))) {
      rows.push(row);
      bytes += sizeOf(row);
      if (rows.length >= MOST_ROWS || bytes >= MOST_BYTES) break;
    }
    const last = rows.at(-1);
    if (!last) return undefined;
    return {
      rows: rows.map((row) => columns.map((column) => storableValue(column, row[column.name]!))),
      end: order.map((_, index) => last[`end_${index}`]!),
    };
  }

  /** Every row of a table, in no order: what SQLite holds of it, and what PostgreSQL is to hold. */
  *readAll(table: CopiedTable): Generator<{ held: Value[]; storable: Value[] }> {
    const columns = allColumns(table);
    const text = `SELECT ${columns.map((column) => selected(table, column)).join(", ")} FROM ${table.name}`;
    for (const row of this.#db.prepare<[], Row>(text).iterate()) {
      const held = columns.map(({ name }) => row[name]!);
      yield { held, storable: columns.map((column, index) => storableValue(column, held[index]!)) };
    }
  }

  /** The highest key that was ever given in each table whose keys are never given twice. */
  readSequences(): ReadonlyMap<string, number> {
    const given = this.#db.prepare<[], [string, number]>("SELECT name, seq FROM sqlite_sequence").raw().all();
    const kept = given.filter(([name]) => IDENTITIES.has(name));
    const highest = (name: string) =>
      this.#db.prepare<[], number | null>(`SELECT max(key) FROM ${name}`).pluck().get() ?? 0;
    return new Map([...kept, ...COUNTED_ON.map((name) => [name, highest(name)] as const)]);
  }

  [Symbol.dispose](): void {
    this.#db.close();
    this.#held[Symbol.dispose]();
  }
}

/** Opens the database as a server does that starts alone on its folder. From then on nobody else writes. */
function openSettled(file: string, now: Now): Database {
  const db = openDatabase(file, BUSY_TIMEOUT_MS);
  try {
    const turns = new TurnWrites({
      log: new TurnLog(db),
      usage: new UsageStore(db),
      inFlight: new TurnsInFlight(db),
      idempotency: new IdempotencyStore(db),
      instances: new InstanceStore(db, now),
      counting: new TurnCounting(db),
    });
    db.transaction(() => {
      turns.giveBackAll();
      // What a change of documents has left to be deleted; nobody changes any now.
      db.exec("DELETE FROM knowledge_documents WHERE is_live = 0");
    }).immediate();
    db.exec("BEGIN IMMEDIATE");
    return db;
  } catch (error) {
    db.close();
    throw error;
  }
}

/** Tables whose keys PostgreSQL gives as well, and are never given twice. */
const IDENTITIES: ReadonlySet<string> = new Set(["bots", "embed_tokens", "knowledge_passages"]);
/** Those in which SQLite goes on from the highest key that is there. */
const COUNTED_ON = ["changes", "knowledge_documents", "operators", "operator_keys"];

function selected(table: CopiedTable, { name, source = `${table.name}.${name}` }: Column): string {
  return `${source} AS ${name}`;
}
