import type { StoreAddress } from "../../config/store-address.ts";
import { UnusableDatabaseError } from "../unusable-database.ts";
import type { Queries } from "./connection.ts";

/** Says how far a copy is that fills the database; it is there for as long as the copy is not finished and checked. */
export const COPY_TABLE = "parley_copy";

/** Whether the database is being filled by `parley copy`, or was left half filled by one. */
export async function isHalfCopied(queries: Queries): Promise<boolean> {
  const [row] = await queries.query<{ isThere: boolean }>(
    `SELECT to_regclass('${COPY_TABLE}') IS NOT NULL AS "isThere"`,
  );
  return row!.isThere;
}

/** @throws UnusableDatabaseError where the database is half a copy: to serve it would answer without its other half. */
export async function refuseHalfCopy(queries: Queries, { shown }: StoreAddress): Promise<void> {
  if (!(await isHalfCopied(queries))) return;
  throw new UnusableDatabaseError(
    `${shown} holds a copy that is not finished; run the same \`parley copy\` again, which goes on where it was, or start with an empty database`,
  );
}
