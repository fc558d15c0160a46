import type { Database } from "better-sqlite3";

import { type Column, type ColumnRow, type CopiedTable, shapesOf, type TableShape } from "./catalogue.ts";
import {
  Checksum,
  MAX_BYTES,
  MAX_ROWS,
  type Row,
  sizeOf,
  storableValue,
  type Value,
  valueForSqlite,
} from "./rows.ts";

/** Rows that are compared before the event loop runs again: some ten milliseconds. Chosen by hand. */
const ROWS_A_STEP = 1000;

const COLUMNS = `
  SELECT tables.name AS "table", columns.name, columns.type, nullif(columns.pk, 0) AS place, sqlite_schema.sql
  FROM pragma_table_list AS tables JOIN sqlite_schema ON sqlite_schema.name = tables.name
  JOIN pragma_table_info(tables.name) AS columns
  WHERE tables.schema = 'main' AND tables.type = 'table' AND tables.name NOT LIKE 'sqlite%'
  ORDER BY tables.name, columns.cid`;

/** A database file as the source or the target of a copy. */
export class SqliteSide {
  readonly db: Database;
  /** Number of texts with a character that PostgreSQL cannot store, among the compared rows. */
  mendedTexts = 0;
  readonly #isSource: boolean;
  #reading: { table: CopiedTable; place: number; rows: IterableIterator<Row> } | undefined;

  /** @param isSource true: values are read as PostgreSQL will store them; false: unchanged. */
  constructor(db: Database, { isSource }: { isSource: boolean }) {
    this.db = db;
    this.#isSource = isSource;
  }

  describe(): TableShape[] {
    return shapesOf(this.db.prepare<[], ColumnRow & { sql: string }>(COLUMNS).all(), (_, [column]) => ({
      references: [],
      isNumbered: column!.sql.includes("AUTOINCREMENT"),
      isSingle: column!.sql.includes("CHECK (key = 1)"),
    }));
  }

  count({ name }: CopiedTable): number {
    return this.db.prepare<[], number>(`SELECT count(*) FROM ${name}`).pluck().get()!;
  }

  /** The next rows after the first `from`, in order; empty at the end. */
  read(table: CopiedTable, from: number): Value[][] {
    if (this.#reading?.table !== table || this.#reading.place !== from) {
      this.endReading();
      this.#reading = { table, place: from, rows: this.#iterate(table, from) };
    }
    const values: Value[][] = [];
    let bytes = 0;
    while (values.length < MAX_ROWS && bytes < MAX_BYTES) {
      const { done, value: row } = this.#reading.rows.next();
      if (done) break;
      values.push(table.columns.map((column) => this.#valueOf(column, row)));
      bytes += sizeOf(row);
    }
    this.#reading.place += values.length;
    return values;
  }

  endReading(): void {
    this.#reading?.rows.return?.();
    this.#reading = undefined;
  }

  /** Checksum of all rows of a table. */
  async sum(table: CopiedTable, onRows: (rows: number) => void): Promise<Checksum> {
    const checksum = new Checksum();
    for (const row of this.#iterate(table, 0)) {
      const values = table.columns.map((column) => this.#valueOf(column, row));
      checksum.add(values);
      this.mendedTexts += table.columns.filter(
        ({ name }, index) => typeof row[name] === "string" && row[name] !== values[index],
      ).length;
      if (checksum.rows % ROWS_A_STEP !== 0) continue;
      onRows(ROWS_A_STEP);
      await Bun.sleep(0);
    }
    onRows(checksum.rows % ROWS_A_STEP);
    return checksum;
  }

  #iterate({ name, columns, order }: CopiedTable, from: number): IterableIterator<Row> {
    const selected = columns.map((column) => `${column.read} AS ${column.name}`).join(", ");
    const text = `SELECT ${selected} FROM ${name} ORDER BY ${order.sqlite} LIMIT -1 OFFSET ?`;
    return this.db.prepare<[number], Row>(text).iterate(from);
  }

  /** @param rows values of all columns, as PostgreSQL stores them. */
  insert({ name, columns }: CopiedTable, rows: readonly (readonly Value[])[]): void {
    const into = columns.flatMap(({ write }) => write ?? []);
    const insert = this.db.prepare(
      `INSERT INTO ${name} (${into.map(({ column }) => column).join(", ")}) VALUES (${into.map(({ value }) => value).join(", ")})`,
    );
    for (const row of rows)
      insert.run(...columns.flatMap((column, i) => (column.write ? [valueForSqlite(column, row[i]!)] : [])));
  }

  /** For each table whose numbers are never used again, the highest number ever used. */
  readNumbers(tables: readonly CopiedTable[]): Map<string, number> {
    const given = new Map(
      this.db.prepare<[], [string, number]>("SELECT name, seq FROM sqlite_sequence").raw().all(),
    );
    return new Map(
      tables
        .filter(({ isNumbered }) => isNumbered)
        .map(({ name, key }) => {
          const highest = this.db.prepare<[], number | null>(`SELECT max(${key}) FROM ${name}`).pluck().get();
          return [name, Math.max(given.get(name) ?? 0, highest ?? 0)];
        }),
    );
  }

  /** Sets the highest used numbers, in tables whose numbers are never used again; other tables continue after their rows. */
  goOnFrom(numbers: ReadonlyMap<string, number>): void {
    const kept = this.describe().filter(({ isNumbered }) => isNumbered);
    for (const { name } of kept) {
      const number = numbers.get(name);
      if (number === undefined) continue;
      this.db.prepare("DELETE FROM sqlite_sequence WHERE name = ?").run(name);
      this.db.prepare("INSERT INTO sqlite_sequence (name, seq) VALUES (?, ?)").run(name, number);
    }
  }

  #valueOf(column: Column, row: Row): Value {
    const value = row[column.name]!;
    if (column.type === "boolean" && value !== null) return value === 1;
    return this.#isSource ? storableValue(column, value) : value;
  }
}
