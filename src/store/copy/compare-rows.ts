import type { OnCopy } from "../backup/backup-database.ts";
import { type CopiedTable } from "./copied-table.ts";
import { Checksum } from "./rows.ts";
import type { CopySource } from "./source.ts";
import { COPIED_TABLES } from "./tables.ts";
import type { CopyTarget } from "./target.ts";

interface Reins {
  onCopy?: OnCopy;
  signal?: AbortSignal;
}

export interface Comparison {
  /** A line for each table that is not the same. */
  differences: string[];
  /** Texts of the source that PostgreSQL cannot keep as they are. */
  mendedTexts: number;
}

/** Rows of the source between two looks at the loop: some ten milliseconds. */
const ROWS_A_STEP = 1000;

/** Reads all of both sides, and tells where they differ. @param total rows of the source, for the progress. */
export async function compareRows(
  source: CopySource,
  target: CopyTarget,
  total: number,
  { onCopy, signal }: Reins,
): Promise<Comparison> {
  const differences: string[] = [];
  let mendedTexts = 0;
  let seen = 0;
  const onSeen = (rows: number) => {
    signal?.throwIfAborted();
    seen += rows;
    onCopy?.("checking", Math.min(1, seen / Math.max(1, 2 * total)));
  };
  for (const table of COPIED_TABLES) {
    const { checksum, mended } = await sumSource(source, table, onSeen);
    const copied = await sumTarget(target, table, onSeen);
    if (!checksum.equals(copied))
      differences.push(`${table.name}: ${checksum.describe()}; in the copy ${copied.describe()}`);
    mendedTexts += mended;
  }
  const trace = await target.findTraceOfServers();
  if (trace !== undefined) differences.push(`a server has used the copy: ${trace}`);
  return { differences, mendedTexts };
}

async function sumSource(
  source: CopySource,
  table: CopiedTable,
  onSeen: (rows: number) => void,
): Promise<{ checksum: Checksum; mended: number }> {
  const checksum = new Checksum();
  let mended = 0;
  for (const { held, storable } of source.readAll(table)) {
    checksum.add(storable);
    mended += storable.filter((value, index) => typeof value === "string" && value !== held[index]).length;
    if (checksum.rows % ROWS_A_STEP !== 0) continue;
    onSeen(ROWS_A_STEP);
    await Bun.sleep(0);
  }
  onSeen(checksum.rows % ROWS_A_STEP);
  return { checksum, mended };
}

async function sumTarget(
  target: CopyTarget,
  table: CopiedTable,
  onSeen: (rows: number) => void,
): Promise<Checksum> {
  let checksum = new Checksum();
  await target.readAll(table, {
    onStart: () => {
      checksum = new Checksum();
    },
    onRows: (rows) => {
      for (const values of rows) checksum.add(values);
      onSeen(rows.length);
    },
  });
  return checksum;
}
