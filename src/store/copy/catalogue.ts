import {
  JSON_COLUMNS,
  LEFT_OUT,
  PLACED_TURNS,
  POSTGRES_ALONE,
  POSTGRES_ORDER,
  REFERENCES,
  SQLITE_EXPRESSIONS,
  SQLITE_ORDER,
  TURN_NUMBER,
} from "./differences.ts";
import { CopyError } from "./errors.ts";

/** A table as the catalogue of its database describes it. */
export interface TableShape {
  name: string;
  columns: readonly { name: string; type: string }[];
  primaryKey: readonly string[];
  /** Other tables whose rows must be copied first. */
  references: readonly string[];
  /** Whether the database numbers new rows, and never uses a number again. */
  isNumbered: boolean;
  /** Whether migrations insert its single row. */
  isSingle: boolean;
}

/** A column as a catalogue lists it; `place`: in the primary key. */
export interface ColumnRow {
  table: string;
  name: string;
  type: string;
  place: number | null;
}

/** The shapes of tables from the columns of all tables. @param more other properties of a table. */
export function shapesOf<Row extends ColumnRow>(
  rows: readonly Row[],
  more: (name: string, columns: readonly Row[]) => Omit<TableShape, "name" | "columns" | "primaryKey">,
): TableShape[] {
  return Array.from(
    Map.groupBy(rows, ({ table }) => table),
    ([name, columns]) => {
      const keys = columns.filter(({ place }) => place !== null).toSorted((a, b) => a.place! - b.place!);
      return { name, columns, primaryKey: keys.map((column) => column.name), ...more(name, columns) };
    },
  );
}

type ColumnType = "bigint" | "boolean" | "text" | "json" | "bytea";

export interface Column {
  /** PostgreSQL's name, by which the rows of both sides are compared. */
  name: string;
  type: ColumnType;
  /** SQLite's expression that reads it. */
  read: string;
  /** How SQLite stores it: the column, and an expression of one value. Absent if other rows determine it. */
  write?: { column: string; value: string };
}

/** A table that both stores have, in terms of both. */
export interface CopiedTable {
  name: string;
  columns: readonly Column[];
  /** The order in which rows are read from either side. */
  order: Readonly<Record<"sqlite" | "postgres", string>>;
  /** The number of a numbered row: SQLite's first column of the primary key. */
  key: string;
  isSingle: boolean;
  /** Whether new numbers continue after the highest number ever used. */
  isNumbered: boolean;
}

const PAIRS: Readonly<Record<string, { sqlite: string; type: ColumnType }>> = {
  bigint: { sqlite: "INTEGER", type: "bigint" },
  integer: { sqlite: "INTEGER", type: "bigint" },
  boolean: { sqlite: "INTEGER", type: "boolean" },
  text: { sqlite: "TEXT", type: "text" },
  bytea: { sqlite: "BLOB", type: "bytea" },
};

const NOT_COPIED = new Set(Object.values(LEFT_OUT).flat());

/**
 * The copied tables, referenced tables first.
 *
 * @throws CopyError if a store has a table or a column that the other lacks, and `differences.ts` does not list it.
 */
export function planTables(sqlite: readonly TableShape[], postgres: readonly TableShape[]): CopiedTable[] {
  const others = new Map(postgres.map((table) => [table.name, table]));
  const names = new Set([...sqlite, ...postgres].map(({ name }) => name));
  const known = sqlite.filter(({ name }) => others.has(name) && !NOT_COPIED.has(name));
  const unknown = names.difference(NOT_COPIED).difference(new Set(known.map(({ name }) => name)));
  if (unknown.size > 0) throw unknownThing("table", [...unknown].join(", "));
  const planned = new Map(known.map((table) => [table.name, planTable(table, others.get(table.name)!)]));
  return inOrder(postgres).flatMap(({ name }) => planned.get(name) ?? []);
}

function unknownThing(kind: "table" | "column", name: string): CopyError {
  return new CopyError(
    `a ${kind} that \`copy\` does not know: ${name}; if it is not Parley's, move it out of Parley's database, and try again`,
  );
}

function inOrder(tables: readonly TableShape[]): TableShape[] {
  const ordered = new Set<TableShape>();
  const add = (table: TableShape) => {
    for (const other of tables) {
      const isNeeded = other !== table && !ordered.has(other) && table.references.includes(other.name);
      if (isNeeded) add(other);
    }
    ordered.add(table);
  };
  for (const table of tables) add(table);
  return [...ordered];
}

function planTable(sqlite: TableShape, postgres: TableShape): CopiedTable {
  const { name } = sqlite;
  const columns = postgres.columns
    .filter((column) => !POSTGRES_ALONE.includes(`${name}.${column.name}`))
    .map((column) => planColumn(sqlite, column));
  const copied = new Set(columns.map(({ write }) => write?.column));
  const unknown = sqlite.columns
    .map((column) => column.name)
    // Except an integer key that only SQLite has, for a row with an id.
    .find((column) => !copied.has(column) && !(column === "key" && sqlite.primaryKey[0] === "key"));
  if (unknown !== undefined) throw unknownThing("column", `${name}.${unknown}`);
  return {
    name,
    columns,
    key: sqlite.primaryKey[0]!,
    order: {
      sqlite: SQLITE_ORDER[name] ?? orderOf(sqlite),
      postgres: POSTGRES_ORDER[name] ?? orderOf(postgres),
    },
    isSingle: sqlite.isSingle,
    isNumbered: postgres.isNumbered || name === PLACED_TURNS,
  };
}

function orderOf({ name, primaryKey }: TableShape): string {
  return primaryKey.map((column) => `${name}.${column}`).join(", ");
}

function planColumn(
  { name: table, columns }: TableShape,
  { name, type }: TableShape["columns"][number],
): Column {
  const path = `${table}.${name}`;
  const pair = PAIRS[type];
  if (!pair) throw unknownThing("column", `${path} (${type})`);
  if (path === TURN_NUMBER.column) return { name, type: pair.type, read: TURN_NUMBER.sqlite };
  const own = columns.find((column) => column.name === name);
  if (own?.type === pair.sqlite) {
    const write = { column: name, value: "?" };
    const read = SQLITE_EXPRESSIONS[path] ?? path;
    return { name, type: JSON_COLUMNS.has(path) ? "json" : pair.type, read, write };
  }
  const reference = REFERENCES.find((known) => known.name === name);
  const key = columns.find((column) => column.name === reference?.key && column.type === "INTEGER");
  if (!reference || !key || pair.type !== "text") throw unknownThing("column", path);
  const { table: other, id } = reference;
  return {
    name,
    type: "text",
    read: `(SELECT ${id} FROM ${other} WHERE ${other}.key = ${table}.${key.name})`,
    write: { column: key.name, value: `(SELECT key FROM ${other} WHERE ${id} = ?)` },
  };
}
