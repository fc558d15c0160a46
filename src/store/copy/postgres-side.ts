import { List, type Queries } from "../postgres/connection.ts";
import { type Column, type ColumnRow, type CopiedTable, shapesOf, type TableShape } from "./catalogue.ts";
import { PLACED_TURNS } from "./differences.ts";
import { Checksum, MAX_BYTES, MAX_ROWS, type Row, sizeOf, type Value } from "./rows.ts";

/** Rows of a table's first read, as the size of its rows is unknown. Chosen by hand. */
const FIRST_ROWS = 8;

const COLUMNS = `
SELECT relname AS "table", attname AS name, format_type(atttypid, NULL) AS type, attidentity <> '' AS "isIdentity",
  array_position(conkey, attnum) AS place
FROM pg_class JOIN pg_attribute ON attrelid = pg_class.oid
LEFT JOIN pg_constraint ON conrelid = pg_class.oid AND contype = 'p'
WHERE relnamespace = current_schema()::regnamespace AND relkind IN ('r', 'p') AND NOT relispartition
  AND attnum > 0 AND NOT attisdropped
ORDER BY relname, attnum`;

const REFERENCES = `
SELECT own.relname AS "table", other.relname AS other FROM pg_constraint
JOIN pg_class AS own ON own.oid = conrelid JOIN pg_class AS other ON other.oid = confrelid
WHERE contype = 'f' AND own.relnamespace = current_schema()::regnamespace`;

const HIGHEST = `
(SELECT last_value FROM pg_sequences
 WHERE format('%I.%I', schemaname, sequencename)::regclass = pg_get_serial_sequence($1, 'key')::regclass)`;

export async function describePostgres(queries: Queries): Promise<TableShape[]> {
  const rows = await queries.query<ColumnRow & { isIdentity: boolean }>(COLUMNS);
  const references = await queries.query<{ table: string; other: string }>(REFERENCES);
  return shapesOf(rows, (name, columns) => ({
    references: references.filter(({ table }) => table === name).map(({ other }) => other),
    isNumbered: columns.some(({ isIdentity }) => isIdentity),
    isSingle: false,
  }));
}

export async function countRows(queries: Queries, { name }: CopiedTable): Promise<number> {
  const [row] = await queries.query<{ rows: number }>(`SELECT count(*)::float8 AS rows FROM ${name}`);
  return row!.rows;
}

/** Reads all rows of a table in batches inside a transaction; in SQLite's order of insertion if asked for. */
export async function readRows(
  queries: Queries,
  { name, columns, order }: CopiedTable,
  onRows: (rows: Value[][]) => void,
  { isOrdered = false } = {},
): Promise<void> {
  const cursor = `copied_${name}`;
  const orderBy = isOrdered ? `ORDER BY ${order.postgres}` : "";
  await queries.query(
    `DECLARE ${cursor} NO SCROLL CURSOR FOR SELECT ${columns.map(asRead).join(", ")} FROM ${name} ${orderBy}`,
  );
  for (let most = FIRST_ROWS; ;) {
    const rows = await queries.query<Row>(`FETCH ${most} FROM ${cursor}`);
    if (rows.length === 0) break;
    onRows(rows.map((row) => columns.map((column) => row[column.name]!)));
    const bytes = rows.reduce((sum, row) => sum + sizeOf(row), 0);
    most = Math.max(1, Math.min(2 * most, MAX_ROWS, Math.floor((rows.length * MAX_BYTES) / (bytes + 1))));
  }
  await queries.query(`CLOSE ${cursor}`);
}

/** Checksum of all rows of a table, inside a transaction. */
export async function sumRows(
  queries: Queries,
  table: CopiedTable,
  onRows: (rows: number) => void,
): Promise<Checksum> {
  const checksum = new Checksum();
  await readRows(queries, table, (rows) => {
    for (const values of rows) checksum.add(values);
    onRows(rows.length);
  });
  return checksum;
}

export async function insertRows(
  queries: Queries,
  { name: table, columns }: CopiedTable,
  rows: readonly Value[][],
): Promise<void> {
  const lists = columns.map(({ type }, index) => `$${index + 1}::${type === "json" ? "text" : type}[]`);
  await queries.query(
    `INSERT INTO ${table} (${columns.map(({ name }) => name).join(", ")}) SELECT * FROM unnest(${lists.join(", ")})`,
    columns.map((_, index) => new List(rows.map((row) => row[index]!))),
  );
}

/** For each table whose numbers are never used again, the highest number ever used. */
export async function readNumbers(
  queries: Queries,
  tables: readonly CopiedTable[],
): Promise<Map<string, number>> {
  const numbers = new Map<string, number>();
  for (const { name, key, isNumbered } of tables) {
    if (!isNumbered) continue;
    const isPlaced = name === PLACED_TURNS;
    const given = isPlaced ? "(SELECT last_place FROM turn_counting)" : HIGHEST;
    const [row] = await queries.query<{ number: number }>(
      `SELECT greatest((SELECT max(${key}) FROM ${name}), ${given}, 0)::float8 AS number`,
      isPlaced ? [] : [name],
    );
    numbers.set(name, row!.number);
  }
  return numbers;
}

/** Sets the sequences, so that new numbers follow these. */
export async function goOnFrom(queries: Queries, numbers: ReadonlyMap<string, number>): Promise<void> {
  for (const [table, number] of numbers) {
    if (number === 0) continue;
    if (table === PLACED_TURNS) {
      await queries.query("INSERT INTO turn_counting (key, counted_at, last_place) VALUES (1, 0, $1)", [
        number,
      ]);
    } else {
      await queries.query("SELECT setval(pg_get_serial_sequence($1, 'key'), $2::bigint)", [table, number]);
    }
  }
}

/** Reads large integers as texts, so that none is rounded. */
function asRead({ name, type }: Column): string {
  return type === "bigint" ? `${name}::text AS ${name}` : name;
}
