import type { StoreAddress } from "../../config/store-address.ts";
import type { Actor, Change } from "../../domain/change.ts";
import type { Now } from "../../domain/time.ts";
import { PostgresChanges } from "../postgres/changes.ts";
import { List, type Queries } from "../postgres/connection.ts";
import { LATEST_SCHEMA, migrate, readSchemaVersion } from "../postgres/migrate.ts";
import { Pool } from "../postgres/pool.ts";
import { COMMAND_PATIENCE, explainOpening } from "../postgres/postgres-store.ts";
import { lockRegistry } from "../postgres/registry.ts";
import { COPY_TABLE, isHalfCopied } from "../postgres/unfinished-copy.ts";
import { allColumns, type Column, type CopiedTable } from "./copied-table.ts";
import { CopyError } from "./errors.ts";
import type { Row, Value } from "./rows.ts";
import type { Batch, Place } from "./source.ts";
import { COPIED_TABLES, TABLES_OF_SERVERS } from "./tables.ts";

/** Rows that are held at once while all of a table is read. */
const ROWS_A_FETCH = 500;

/** How far a copy is. */
export interface CopyState {
  /** The table that is being copied; undefined where all are. */
  table: CopiedTable | undefined;
  after: Place | undefined;
  /** Of all tables, that are copied. */
  rows: number;
}

/** A PostgreSQL database that a copy fills. Until the copy is finished, a row in it says how far it is, and no server takes it. */
export class CopyTarget implements AsyncDisposable {
  readonly #pool: Pool;
  readonly #address: StoreAddress;

  constructor(address: StoreAddress) {
    this.#address = address;
    this.#pool = new Pool({ address, connections: 1, ...COMMAND_PATIENCE });
  }

  /**
   * Makes the tables, and begins a copy; or finds the one that was begun of the same source.
   *
   * @throws CopyError where the database holds anything else.
   * @throws UnusableDatabaseError where it cannot be used.
   */
  async begin(fingerprint: string): Promise<void> {
    try {
      await this.#migrate();
      await this.#pool.transaction(async (queries) => {
        await lockRegistry(queries);
        if (await isHalfCopied(queries)) return this.#refuseOtherCopy(queries, fingerprint);
        await this.#refuseOtherThings(queries);
        await beginCopy(queries, fingerprint);
      });
    } catch (error) {
      throw explainOpening(this.#address, error);
    }
  }

  /** Copies what `read` gives of the table that is being copied: rows and the new state in one transaction. @returns how far the copy is then. */
  copyBatch(read: (table: CopiedTable, after: Place | undefined) => Batch | undefined): Promise<CopyState> {
    return this.#pool.transaction(async (queries) => {
      const state = await readState(queries);
      if (!state.table) return state;
      const batch = read(state.table, state.after);
      if (batch) await insert(queries, state.table, batch.rows);
      const next = batch
        ? { ...state, after: batch.end, rows: state.rows + batch.rows.length }
        : { ...state, table: tableBehind(state.table), after: undefined };
      await writeState(queries, next);
      return next;
    });
  }

  /** So that the first messages are answered by plans for tables of this size, and not for empty ones. */
  async analyse(): Promise<void> {
    for (const { name } of COPIED_TABLES) await this.#pool.query(`ANALYZE ${name}`);
  }

  /** Reads every row of a table, in no order. `onRows` gets the values of some rows at a time, and may be begun anew by `onStart`. */
  async readAll(
    table: CopiedTable,
    { onStart, onRows }: { onStart: () => void; onRows: (rows: Value[][]) => void },
  ): Promise<void> {
    const columns = allColumns(table);
    const cursor = `copied_${table.name}`;
    await this.#pool.transaction(async (queries) => {
      onStart();
      await queries.query(
        `DECLARE ${cursor} NO SCROLL CURSOR FOR SELECT ${columns.map(asRead).join(", ")} FROM ${table.name}`,
      );
      for (;;) {
        const rows = await queries.query<Row>(`FETCH ${ROWS_A_FETCH} FROM ${cursor}`);
        if (rows.length === 0) return;
        onRows(rows.map((row) => columns.map(({ name }) => row[name]!)));
      }
    });
  }

  /** What servers have left in tables that are to be empty. */
  async findTraceOfServers(): Promise<string | undefined> {
    return findFilled(this.#pool, TABLES_OF_SERVERS);
  }

  /** Has keys go on where they were, notes the copy, and opens the database to servers. */
  async finish(
    sequences: ReadonlyMap<string, number>,
    change: Change,
    { by, now }: { by: Actor; now: Now },
  ): Promise<void> {
    await this.#pool.transaction(async (queries) => {
      for (const [table, highest] of sequences) await setSequence(queries, table, highest);
      await new PostgresChanges(this.#pool, now, by).append(queries, change);
      await queries.query(`DROP TABLE ${COPY_TABLE}`);
    });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#pool[Symbol.asyncDispose]();
  }

  /** Tables of an older version are left as they are: there is nothing in an empty database to keep. */
  async #migrate(): Promise<void> {
    const version = await readSchemaVersion(this.#pool);
    if (version !== undefined && version < LATEST_SCHEMA) {
      throw new CopyError(`${this.#address.shown} holds tables of an older Parley; ${EMPTY_INSTEAD}`);
    }
    await migrate(this.#pool, this.#address);
  }

  async #refuseOtherCopy(queries: Queries, fingerprint: string): Promise<void> {
    const [state] = await queries.query<{ source: string }>(`SELECT source FROM ${COPY_TABLE}`);
    if (state?.source === fingerprint) return;
    throw new CopyError(
      `${this.#address.shown} holds an unfinished copy of another data folder, or of this one before it was used again; ${EMPTY_INSTEAD}`,
    );
  }

  async #refuseOtherThings(queries: Queries): Promise<void> {
    const tables = COPIED_TABLES.filter(({ isSingle }) => !isSingle).map(({ name }) => name);
    const filled = (await findFilled(queries, [...TABLES_OF_SERVERS, ...tables])) ?? (await findUse(queries));
    if (filled === undefined) return;
    const [copied] = await queries.query("SELECT 1 FROM changes WHERE kind = 'database.copied' LIMIT 1");
    throw new CopyError(
      copied
        ? `${this.#address.shown} holds a data folder that was copied already, and checked; start servers on it`
        : `${this.#address.shown} is not empty (${filled}); ${EMPTY_INSTEAD}`,
    );
  }
}

const EMPTY_INSTEAD = "give the copy an empty database, as one that `createdb` has just made";

/** The first of the tables that has a row, named for an operator. */
async function findFilled(queries: Queries, tables: readonly string[]): Promise<string | undefined> {
  for (const table of tables) {
    const rows = await queries.query(`SELECT 1 FROM ${table} LIMIT 1`);
    if (rows.length > 0) return `there are rows in ${table}`;
  }
  return undefined;
}

/** What the rows tell that are there from the beginning. */
async function findUse(queries: Queries): Promise<string | undefined> {
  const used = await queries.query(
    `SELECT 1 FROM registry, clock, server_starts WHERE generation > 0 OR heartbeat_at IS NOT NULL OR starts > 0`,
  );
  return used.length > 0 ? "a server has run on it" : undefined;
}

async function beginCopy(queries: Queries, fingerprint: string): Promise<void> {
  await queries.query(
    `CREATE TABLE ${COPY_TABLE} (
      key int PRIMARY KEY CHECK (key = 1), source text NOT NULL, table_name text, after text, rows bigint NOT NULL)`,
  );
  await queries.query(`INSERT INTO ${COPY_TABLE} (key, source, table_name, rows) VALUES (1, $1, $2, 0)`, [
    fingerprint,
    COPIED_TABLES[0]!.name,
  ]);
}

/** Others that copy wait for the end of this transaction. */
async function readState(queries: Queries): Promise<CopyState> {
  const [row] = await queries.query<{ name: string | null; after: string | null; rows: number }>(
    `SELECT table_name AS name, after, rows::float8 AS rows FROM ${COPY_TABLE} FOR UPDATE`,
  );
  return {
    table: COPIED_TABLES.find(({ name }) => name === row!.name),
    after: row!.after === null ? undefined : parsePlace(row!.after),
    rows: row!.rows,
  };
}

async function writeState(queries: Queries, { table, after, rows }: CopyState): Promise<void> {
  await queries.query(`UPDATE ${COPY_TABLE} SET table_name = $1, after = $2, rows = $3`, [
    table?.name ?? null,
    after ? showPlace(after) : null,
    rows,
  ]);
}

function tableBehind(table: CopiedTable): CopiedTable | undefined {
  return COPIED_TABLES[COPIED_TABLES.indexOf(table) + 1];
}

/** As JSON, in which bytes are a list of their hexadecimal text. */
function showPlace(place: Place): string {
  return JSON.stringify(place.map((key) => (key instanceof Uint8Array ? [key.toHex()] : key)));
}

function parsePlace(text: string): Place {
  const keys = JSON.parse(text) as (Exclude<Value, Uint8Array> | [hex: string])[];
  return keys.map((key) => (Array.isArray(key) ? Uint8Array.fromHex(key[0]) : key));
}

async function insert(queries: Queries, table: CopiedTable, rows: readonly Value[][]): Promise<void> {
  const { columns } = table;
  const lists = columns.map((_, index) => new List(rows.map((row) => row[index]!)));
  await queries.query(insertionOf(table), lists);
}

function insertionOf({ name, columns, derived, isSingle }: CopiedTable): string {
  const names = columns.map((column) => column.name);
  const lists = columns.map(({ type }, index) => `$${index + 1}::${listTypeOf(type)}[]`);
  const over = names.map((column) => `${column} = excluded.${column}`).join(", ");
  return `
INSERT INTO ${name} (${[...names, ...(derived ? [derived.name] : [])].join(", ")})
SELECT ${[...names, ...(derived ? [derived.target] : [])].join(", ")}
FROM unnest(${lists.join(", ")}) WITH ORDINALITY AS item (${names.join(", ")}, position)
${isSingle ? `ON CONFLICT (key) DO UPDATE SET ${over}` : ""}`;
}

function listTypeOf(type: Column["type"]): string {
  return type === "json" ? "text" : type;
}

/** Large integers come as texts, so that none is rounded. */
function asRead({ name, type }: Column): string {
  return type === "bigint" ? `${name}::text AS ${name}` : name;
}

async function setSequence(queries: Queries, table: string, highest: number): Promise<void> {
  if (highest === 0) return;
  await queries.query("SELECT setval(pg_get_serial_sequence($1, 'key'), $2::bigint)", [table, highest]);
}
