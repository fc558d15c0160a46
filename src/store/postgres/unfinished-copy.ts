import type { StoreAddress } from "../../config/store-address.ts";
import { UnusableDatabaseError } from "../unusable-database.ts";
import type { Queries } from "./connection.ts";

/** Table with the progress of a copy into the database; it exists until the copy is finished and checked. */
export const COPY_TABLE = "parley_copy";

/** Whether `parley copy` is filling the database, or left it incomplete. */
export async function isHalfCopied(queries: Queries): Promise<boolean> {
  const [row] = await queries.query<{ isThere: boolean }>(
    `SELECT to_regclass('${COPY_TABLE}') IS NOT NULL AS "isThere"`,
  );
  return row!.isThere;
}

/** @throws UnusableDatabaseError if the database is an incomplete copy: a server would answer without the missing half. */
export async function refuseHalfCopy(queries: Queries, { shown }: StoreAddress): Promise<void> {
  if (!(await isHalfCopied(queries))) return;
  throw new UnusableDatabaseError(
    `${shown} holds a copy that is not finished; run the same \`parley copy\` again, which continues where it stopped, or start with an empty database`,
  );
}
