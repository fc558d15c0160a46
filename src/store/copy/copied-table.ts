/** How a value is kept: by both engines, but for truth values, which SQLite keeps as 0 and 1, and JSON, which both keep as text. */
type ColumnType = "bigint" | "boolean" | "text" | "json" | "bytea";

/** A column of PostgreSQL's table. */
export interface Column {
  name: string;
  type: ColumnType;
  /** SQLite's expression for it, where it is not its column of that name. */
  source?: string;
}

/** One table, as both engines have it. */
export interface CopiedTable {
  name: string;
  /** SQLite's columns by which its rows are read in order; an index has them. */
  order: readonly [string, ...string[]];
  columns: readonly Column[];
  /** PostgreSQL has the one row from the start, and it is written over. */
  isSingle?: true;
  /** A column of PostgreSQL's that SQLite has no column for. */
  derived?: Column & {
    source: string;
    /** PostgreSQL's expression for it, of a batch named `item` whose rows have a `position`. */
    target: string;
  };
}

/** How a table is written down below: its columns by name, in order. */
interface Definition extends Pick<CopiedTable, "isSingle" | "derived"> {
  order: CopiedTable["order"];
  columns: Readonly<Record<string, ColumnType>>;
  /** SQLite's expressions for columns that it does not have by these names. */
  sources?: Readonly<Record<string, string>>;
}

/** Writes a table down. */
export function tableOf(name: string, { columns, sources = {}, ...rest }: Definition): CopiedTable {
  const list = Object.entries(columns).map(([column, type]) => {
    const source = sources[column];
    return { name: column, type, ...(source !== undefined && { source }) };
  });
  return { name, columns: list, ...rest };
}

/** All of a table's columns in PostgreSQL. */
export function allColumns({ columns, derived }: CopiedTable): Column[] {
  return derived ? [...columns, derived] : [...columns];
}
