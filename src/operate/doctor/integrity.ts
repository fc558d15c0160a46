import { sqliteCode } from "../../store/sqlite/failure.ts";
import type { Inspection } from "../../store/sqlite/inspection.ts";
import { type Finding, findingsOf } from "./finding.ts";

const INTEGRITY = findingsOf("integrity");

/** Called before each table with its name and the share of tables done, 0–1. */
export type OnTable = (table: string, share: number) => void;

const MAX_FAULTS = 3;

/** Reads every page of all tables and indexes. */
export function examineIntegrity(
  database: Pick<Inspection, "tables" | "quickCheck">,
  onTable: OnTable,
): Finding {
  const faults = findFaults(database, onTable);
  if (faults.length === 0) return INTEGRITY.fine("every table and every index is sound");
  const more = faults.length > MAX_FAULTS ? `, and ${faults.length - MAX_FAULTS} more` : "";
  return INTEGRITY.broken(
    `the database is damaged: ${faults.slice(0, MAX_FAULTS).join("; ")}${more}`,
    "stop the server, keep a copy of the data folder, and `parley restore` the latest sound backup; then look at the disk (dmesg, smartctl)",
  );
}

function findFaults(database: Pick<Inspection, "tables" | "quickCheck">, onTable: OnTable): string[] {
  try {
    const tables = database.tables();
    return tables.flatMap((table, index) => {
      onTable(table, index / tables.length);
      return faultsOf(database, table);
    });
  } catch (error) {
    return [damageOf(error)];
  }
}

function faultsOf(database: Pick<Inspection, "quickCheck">, table: string): string[] {
  try {
    return database.quickCheck(table).map((fault) => `${table}: ${fault.replaceAll(/\s+/g, " ")}`);
  } catch (error) {
    return [`${table}: ${damageOf(error)}`];
  }
}

/** SQLite's message about unreadable data. @throws errors that do not come from SQLite. */
function damageOf(error: unknown): string {
  if (sqliteCode(error) === undefined) throw error;
  return (error as Error).message;
}
