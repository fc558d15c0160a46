import type { StoreAddress } from "../../config/store-address.ts";
import type { Actor, Change } from "../../domain/change.ts";
import { ServiceError } from "../../domain/errors.ts";
import type { Now } from "../../domain/time.ts";
import type { LeaseTimes } from "../lease-observer.ts";
import { explainCopyFault } from "../sqlite/backup/errors.ts";
import { type CopiedTable, planTables } from "./catalogue.ts";
import { CopyError } from "./errors.ts";
import { FolderSource } from "./folder-source.ts";
import { FolderTarget } from "./folder-target.ts";
import { countRows, readNumbers, readRows, sumRows } from "./postgres-side.ts";
import { type PostgresSource, type Reins, withPostgresSource } from "./postgres-source.ts";
import { PostgresTarget } from "./postgres-target.ts";
import type { Checksum } from "./rows.ts";

export interface CopyOptions extends Reins {
  /** The folder that holds the SQLite database. */
  dataDir: string;
  address: StoreAddress;
  now: Now;
  /** The actor of the copy, for the filled database's audit log. */
  by: Actor;
  /** Lease times by which a dead server on PostgreSQL is recognised. */
  lease?: LeaseTimes;
}

export interface Copied {
  /** The file. */
  database: string;
  /** Number of rows, by table. */
  rows: Record<string, number>;
  /** Number of texts in which U+FFFD replaced a character 0, which PostgreSQL cannot store. */
  mendedTexts: number;
}

/**
 * Copies all of a data folder into an empty PostgreSQL database, then reads both sides and compares numbers of rows and checksums. An
 * interrupted copy continues where it stopped. Until both sides agree, no server opens the database.
 *
 * @throws CopyError if a server runs on the folder, the database is not empty or fails, or the two sides differ in the end.
 * @throws UnusableDatabaseError if either cannot be used.
 */
export async function copyToPostgres(options: CopyOptions): Promise<Copied> {
  try {
    return await copyAndCompare(options);
  } catch (error) {
    throw explainLoss(options.address, error, "the same command continues where it stopped");
  }
}

async function copyAndCompare(options: CopyOptions): Promise<Copied> {
  const { dataDir, address, now, by, onCopy, signal } = options;
  using source = FolderSource.open(dataDir, now);
  await using target = new PostgresTarget(address);
  const tables = planTables(source.describe(), await target.prepare());
  await target.begin(tables, source.fingerprint());
  const rows = Object.fromEntries(tables.map((table) => [reportedName(table), source.count(table)]));
  const total = sumOf(rows);
  for (;;) {
    signal?.throwIfAborted();
    const state = await target.copyBatch(tables, (table, after) => source.read(table, after));
    onCopy?.("copying", Math.min(1, state.rows / Math.max(1, total)));
    if (!state.table) break;
  }
  await target.analyse(tables);
  const differences = await compareSides(tables, { source, target }, total, options);
  const trace = await target.findTraceOfServers();
  if (trace !== undefined) differences.push(`a server has used the copy: ${trace}`);
  if (differences.length > 0) throw differing(address, differences);
  await target.finish(source.readNumbers(tables), noteOf(source.database, rows), { by, now });
  return { database: source.database, rows, mendedTexts: source.mendedTexts };
}

/**
 * Copies all of a PostgreSQL database into a new data folder, then reads both sides and compares numbers of rows and checksums. Until
 * both sides agree the folder has no database; an interrupted copy leaves none, and starts again from the beginning.
 *
 * @throws CopyError if a server runs on the database, the folder is not empty, or the two sides differ in the end.
 * @throws UnusableDatabaseError if either cannot be used.
 */
export async function copyToFolder(options: CopyOptions): Promise<Copied> {
  const { dataDir, address, now, by, signal } = options;
  try {
    using target = FolderTarget.open(dataDir, now);
    const rows = await withPostgresSource(options, (source) => fill(target, source, options));
    await target.indexTurns(() => signal?.throwIfAborted());
    target.finish(noteOf(address.shown, rows), { by, now });
    return { database: target.database, rows, mendedTexts: 0 };
  } catch (error) {
    throw explainCopyFault(
      dataDir,
      explainLoss(address, error, "nothing was kept, and the same command starts again"),
    );
  }
}

async function fill(
  target: FolderTarget,
  source: PostgresSource,
  options: CopyOptions,
): Promise<Record<string, number>> {
  const tables = planTables(target.describe(), source.shapes);
  const rows: Record<string, number> = {};
  for (const table of tables) rows[reportedName(table)] = await countRows(source.queries, table);
  await copyRows(tables, target, source, sumOf(rows), options);
  target.goOnFrom(await readNumbers(source.queries, tables));
  const sum: Side["sum"] = (table, onRows) => sumRows(source.queries, table, onRows);
  const differences = await compareSides(tables, { source: { sum }, target }, sumOf(rows), options);
  if (differences.length === 0) return rows;
  throw new CopyError(
    `the copy differs from ${options.address.shown}, and was not kept:\n${differences.join("\n")}`,
  );
}

async function copyRows(
  tables: readonly CopiedTable[],
  target: FolderTarget,
  { queries }: PostgresSource,
  total: number,
  { onCopy, signal }: CopyOptions,
): Promise<void> {
  let copied = 0;
  for (const table of tables) {
    // A new database already has rows in tables of one row.
    target.db.exec(`DELETE FROM ${table.name}`);
    const onRows = (rows: Parameters<FolderTarget["insert"]>[1]) => {
      signal?.throwIfAborted();
      target.insert(table, rows);
      copied += rows.length;
      onCopy?.("copying", Math.min(1, copied / Math.max(1, total)));
    };
    await readRows(queries, table, onRows, { isOrdered: true });
  }
}

interface Side {
  sum: (table: CopiedTable, onRows: (rows: number) => void) => Promise<Checksum>;
}

/** Reads both sides completely. @returns a line for each table that differs. @param total rows of one side, for the progress. */
async function compareSides(
  tables: readonly CopiedTable[],
  { source, target }: Record<"source" | "target", Side>,
  total: number,
  { onCopy, signal }: Reins,
): Promise<string[]> {
  const differences: string[] = [];
  let seen = 0;
  const onRows = (rows: number) => {
    signal?.throwIfAborted();
    seen += rows;
    onCopy?.("checking", Math.min(1, seen / Math.max(1, 2 * total)));
  };
  for (const table of tables) {
    const [held, copied] = [await source.sum(table, onRows), await target.sum(table, onRows)];
    if (!held.equals(copied))
      differences.push(`${table.name}: ${held.describe()}; in the copy ${copied.describe()}`);
  }
  return differences;
}

function sumOf(rows: Readonly<Record<string, number>>): number {
  return Object.values(rows).reduce((sum, count) => sum + count, 0);
}

/** The change that the filled database records for the copy. */
function noteOf(subject: string, rows: Readonly<Record<string, number>>): Change {
  const fields = Object.entries(rows).map(([field, after]) => ({ field, after }));
  return { kind: "database.copied", subject, bots: [], fields };
}

function differing({ shown }: StoreAddress, differences: readonly string[]): CopyError {
  return new CopyError(
    `the copy differs from the data folder, and no server takes it:\n${differences.join("\n")}\n` +
      `drop ${shown}, create it again, and copy again; the data folder is as it was`,
  );
}

/** A connection that stays lost is reported after a statement's retries, with the remedy. */
function explainLoss({ shown }: StoreAddress, error: unknown, cure: string): unknown {
  if (!(error instanceof ServiceError)) return error;
  const reason = error.cause instanceof Error ? error.cause.message : error.message;
  return new CopyError(`${shown} failed (${reason}); ${cure}`, { cause: error });
}

/** The name of a table in reports for operators and scripts. */
function reportedName({ name }: CopiedTable): string {
  return name === "bot_rows" ? "bots" : name;
}
