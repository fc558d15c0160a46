import type { StoreAddress } from "../../config/store-address.ts";
import type { Actor, Change } from "../../domain/change.ts";
import type { Now } from "../../domain/time.ts";
import { SqlChanges } from "../aggregates/changes.ts";
import { lockGeneration } from "../aggregates/generation.ts";
import type { Queries } from "../postgres/connection.ts";
import { LATEST_SCHEMA, migrate, readSchemaVersion } from "../postgres/migrate.ts";
import { Pool } from "../postgres/pool.ts";
import { PostgresEngine, runOn } from "../postgres/postgres-engine.ts";
import { COMMAND_PATIENCE, explainOpening } from "../postgres/postgres-store.ts";
import { COPY_TABLE, isHalfCopied } from "../postgres/unfinished-copy.ts";
import type { CopiedTable, TableShape } from "./catalogue.ts";
import { LEFT_OUT } from "./differences.ts";
import { CopyError } from "./errors.ts";
import { describePostgres, goOnFrom, insertRows, sumRows } from "./postgres-side.ts";
import type { Checksum, Value } from "./rows.ts";

/** The progress of a copy. */
interface CopyState {
  /** The table that is being copied; undefined when all are done. */
  table: CopiedTable | undefined;
  /** Number of its rows that are copied. */
  place: number;
  /** Number of copied rows of all tables. */
  rows: number;
}

/** A PostgreSQL database as the target of a copy. Until the copy is finished, a row in it holds the progress, and no server opens it. */
export class PostgresTarget implements AsyncDisposable {
  readonly #pool: Pool;
  readonly #address: StoreAddress;

  constructor(address: StoreAddress) {
    this.#address = address;
    this.#pool = new Pool({ address, connections: 1, ...COMMAND_PATIENCE });
  }

  /**
   * Creates the tables. Tables of an older version are refused and not migrated: an empty database holds nothing to keep.
   *
   * @throws CopyError if the database holds tables of an older version.
   * @throws UnusableDatabaseError if the database cannot be used.
   */
  async prepare(): Promise<TableShape[]> {
    try {
      const version = await readSchemaVersion(this.#pool);
      if (version !== undefined && version < LATEST_SCHEMA)
        throw new CopyError(`${this.#address.shown} holds tables of an older Parley; ${EMPTY_INSTEAD}`);
      await migrate(this.#pool, this.#address);
      return await describePostgres(this.#pool);
    } catch (error) {
      throw explainOpening(this.#address, error);
    }
  }

  /** Begins a copy, or continues one from the same source. @throws CopyError if the database holds anything else. */
  async begin(tables: readonly CopiedTable[], fingerprint: string): Promise<void> {
    await this.#pool.transaction(async (queries) => {
      await runOn(queries, lockGeneration());
      if (await isHalfCopied(queries)) return this.#refuseOtherCopy(queries, fingerprint);
      await this.#refuseOtherThings(queries, tables);
      await beginCopy(queries, tables, fingerprint);
    });
  }

  /** Copies the batch that `read` returns for the current table: rows and progress in one transaction. @returns the new progress. */
  copyBatch(
    tables: readonly CopiedTable[],
    read: (table: CopiedTable, from: number) => Value[][],
  ): Promise<CopyState> {
    return this.#pool.transaction(async (queries) => {
      const { table, place, rows } = await readState(queries, tables);
      if (!table) return { table, place, rows };
      const batch = read(table, place);
      const isDone = batch.length === 0;
      if (!isDone) await insertRows(queries, table, batch);
      const next = isDone
        ? { table: tables[tables.indexOf(table) + 1], place: 0, rows }
        : { table, place: place + batch.length, rows: rows + batch.length };
      await queries.query(`UPDATE ${COPY_TABLE} SET table_name = $1, place = $2, rows = $3`, [
        next.table?.name ?? null,
        next.place,
        next.rows,
      ]);
      return next;
    });
  }

  /** Without statistics, PostgreSQL would plan the first messages' statements for empty tables. */
  async analyse(tables: readonly CopiedTable[]): Promise<void> {
    for (const { name } of tables) await this.#pool.query(`ANALYZE ${name}`);
  }

  /** Checksum of all rows of a table; restarted if the connection is lost. */
  sum(table: CopiedTable, onRows: (rows: number) => void): Promise<Checksum> {
    return this.#pool.transaction((queries) => sumRows(queries, table, onRows));
  }

  /** A non-empty table among those that only servers fill. */
  async findTraceOfServers(): Promise<string | undefined> {
    return findFilled(this.#pool, LEFT_OUT.servers);
  }

  /** Sets the sequences, records the copy, and opens the database to servers. */
  async finish(
    numbers: ReadonlyMap<string, number>,
    change: Change,
    { by, now }: { by: Actor; now: Now },
  ): Promise<void> {
    await this.#pool.transaction(async (queries) => {
      await goOnFrom(queries, numbers);
      await queries.query(
        "DELETE FROM awaited_turns USING counted_turns WHERE counted_turns.request_id = awaited_turns.request_id",
      );
      const changes = new SqlChanges(new PostgresEngine(this.#pool), now, by);
      await runOn(queries, changes.append(change));
      await queries.query(`DROP TABLE ${COPY_TABLE}`);
    });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#pool[Symbol.asyncDispose]();
  }

  async #refuseOtherCopy(queries: Queries, fingerprint: string): Promise<void> {
    const [state] = await queries.query<{ source: string }>(`SELECT source FROM ${COPY_TABLE}`);
    if (state?.source === fingerprint) return;
    throw new CopyError(
      `${this.#address.shown} holds an unfinished copy of another data folder, or of this one before it was used again; ${EMPTY_INSTEAD}`,
    );
  }

  async #refuseOtherThings(queries: Queries, tables: readonly CopiedTable[]): Promise<void> {
    const empty = tables.filter(({ isSingle }) => !isSingle).map(({ name }) => name);
    const filled = await findFilled(queries, [...LEFT_OUT.servers, ...empty]);
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

/** The first table that has a row, in an operator's words. */
async function findFilled(queries: Queries, tables: readonly string[]): Promise<string | undefined> {
  for (const table of tables) {
    const rows = await queries.query(`SELECT 1 FROM ${table} LIMIT 1`);
    if (rows.length > 0) return `there are rows in ${table}`;
  }
  return undefined;
}

async function beginCopy(
  queries: Queries,
  tables: readonly CopiedTable[],
  fingerprint: string,
): Promise<void> {
  for (const { name } of tables.filter(({ isSingle }) => isSingle))
    await queries.query(`DELETE FROM ${name}`);
  await queries.query(
    `CREATE TABLE ${COPY_TABLE} (
      key int PRIMARY KEY CHECK (key = 1), source text NOT NULL, table_name text, place bigint NOT NULL, rows bigint NOT NULL)`,
  );
  await queries.query(
    `INSERT INTO ${COPY_TABLE} (key, source, table_name, place, rows) VALUES (1, $1, $2, 0, 0)`,
    [fingerprint, tables[0]!.name],
  );
}

/** Other copies wait for the end of this transaction. */
async function readState(queries: Queries, tables: readonly CopiedTable[]): Promise<CopyState> {
  const [row] = await queries.query<{ name: string | null; place: number; rows: number }>(
    `SELECT table_name AS name, place::float8 AS place, rows::float8 AS rows FROM ${COPY_TABLE} FOR UPDATE`,
  );
  const { name, ...numbers } = row!;
  return { table: tables.find((table) => table.name === name), ...numbers };
}
