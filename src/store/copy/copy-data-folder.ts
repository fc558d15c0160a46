import type { StoreAddress } from "../../config/store-address.ts";
import type { Actor } from "../../domain/change.ts";
import { ServiceError } from "../../domain/errors.ts";
import type { Now } from "../../domain/time.ts";
import type { OnCopy } from "../backup/backup-database.ts";
import { compareRows } from "./compare-rows.ts";
import { CopyError } from "./errors.ts";
import { CopySource } from "./source.ts";
import { COPIED_TABLES } from "./tables.ts";
import { CopyTarget } from "./target.ts";

export interface CopyOptions {
  /** The folder that holds the SQLite database. */
  dataDir: string;
  address: StoreAddress;
  now: Now;
  /** Who answers for it, as the filled database tells. */
  by: Actor;
  onCopy?: OnCopy;
  /** Ends the copying between two batches. */
  signal?: AbortSignal;
}

export interface Copied {
  database: string;
  /** By table. */
  rows: Record<string, number>;
  /** Texts in which a character 0, which PostgreSQL keeps none of, became U+FFFD. */
  mendedTexts: number;
}

/**
 * Copies everything of a data folder into an empty PostgreSQL database, then reads both and compares them by numbers of rows and checksums.
 * A copy that was interrupted goes on where it was. Until both sides agree, no server takes the database.
 *
 * @throws CopyError where a server runs on the folder, the database is not empty or fails, or both sides differ in the end.
 * @throws UnusableDatabaseError where either cannot be used.
 */
export async function copyDataFolder(options: CopyOptions): Promise<Copied> {
  try {
    return await copyAndCompare(options);
  } catch (error) {
    throw explainLoss(options.address, error);
  }
}

async function copyAndCompare(options: CopyOptions): Promise<Copied> {
  const { dataDir, address, now, by } = options;
  using source = new CopySource(dataDir, now);
  await using target = new CopyTarget(address);
  await target.begin(source.fingerprint());
  const rows = Object.fromEntries(COPIED_TABLES.map((table) => [table.name, source.count(table)]));
  const total = Object.values(rows).reduce((sum, count) => sum + count, 0);
  await copyRows(source, target, total, options);
  await target.analyse();
  const { differences, mendedTexts } = await compareRows(source, target, total, options);
  if (differences.length > 0) throw differing(address, differences);
  const fields = Object.entries(rows).map(([field, after]) => ({ field, after }));
  const change = { kind: "database.copied" as const, subject: source.database, bots: [], fields };
  await target.finish(source.readSequences(), change, { by, now });
  return { database: source.database, rows, mendedTexts };
}

async function copyRows(
  source: CopySource,
  target: CopyTarget,
  total: number,
  { onCopy, signal }: Pick<CopyOptions, "onCopy" | "signal">,
): Promise<void> {
  for (;;) {
    signal?.throwIfAborted();
    const { table, rows } = await target.copyBatch((next, after) => source.read(next, after));
    onCopy?.("copying", Math.min(1, rows / Math.max(1, total)));
    if (!table) return;
  }
}

function differing({ shown }: StoreAddress, differences: readonly string[]): CopyError {
  return new CopyError(
    `the copy differs from the data folder, and no server takes it:\n${differences.join("\n")}\n` +
      `drop ${shown}, make it anew, and copy again; the data folder is as it was`,
  );
}

/** What was lost is lost for longer than a statement is tried again. */
function explainLoss({ shown }: StoreAddress, error: unknown): unknown {
  if (!(error instanceof ServiceError)) return error;
  const reason = error.cause instanceof Error ? error.cause.message : error.message;
  return new CopyError(`${shown} failed (${reason}); the same command goes on where it was`, {
    cause: error,
  });
}
