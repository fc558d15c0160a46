import type { StoreAddress } from "../../config/store-address.ts";
import { UnusableDatabaseError } from "../unusable-database.ts";
import type { Queries } from "./connection.ts";
import { sqlState } from "./failure.ts";
import initial from "./migrations/0001-initial.sql" with { type: "text" };
import knowledge from "./migrations/0002-knowledge.sql" with { type: "text" };
import operators from "./migrations/0003-operators.sql" with { type: "text" };
import botTexts from "./migrations/0004-bot-texts.sql" with { type: "text" };
import analytics from "./migrations/0005-analytics.sql" with { type: "text" };
import handoff from "./migrations/0006-handoff.sql" with { type: "text" };
import events from "./migrations/0007-events.sql" with { type: "text" };
import ratings from "./migrations/0008-ratings.sql" with { type: "text" };
import deliveryLists from "./migrations/0009-delivery-lists.sql" with { type: "text" };
import handoffKeys from "./migrations/0010-handoff-keys.sql" with { type: "text" };
import madeByKey from "./migrations/0011-made-by-key.sql" with { type: "text" };
import deletedBots from "./migrations/0012-deleted-bots.sql" with { type: "text" };
import awaitedTurns from "./migrations/0013-awaited-turns.sql" with { type: "text" };
import readableJson from "./migrations/0014-readable-json.sql" with { type: "text" };
import assets from "./migrations/0015-assets.sql" with { type: "text" };
import vectors from "./migrations/0016-vectors.sql" with { type: "text" };
import subjects from "./migrations/0017-subjects.sql" with { type: "text" };
import standalone from "./migrations/0018-standalone.sql" with { type: "text" };
import documentSteps from "./migrations/0019-document-steps.sql" with { type: "text" };
import actions from "./migrations/0020-actions.sql" with { type: "text" };
import type { Pool } from "./pool.ts";

/** Append-only: a migration that has been released is never edited. Position + 1 is the version in `parley_schema`. */
const MIGRATIONS: readonly string[] = [
  initial,
  knowledge,
  operators,
  botTexts,
  analytics,
  handoff,
  events,
  ratings,
  deliveryLists,
  handoffKeys,
  madeByKey,
  deletedBots,
  awaitedTurns,
  readableJson,
  assets,
  vectors,
  subjects,
  standalone,
  documentSteps,
  actions,
];

export const LATEST_SCHEMA = MIGRATIONS.length;

const UNDEFINED_TABLE = "42P01";
const NO_RIGHT = "42501";
/** Of a table, of a function, of a row of the catalogue: another server makes the same at this moment, or it was another program's. */
const EXISTS_ALREADY = /^(42P07|42710|42723|23505)$/;
/** Of servers that start at the same moment on a new database, all but one meet what that one has made. */
const MOST_RACES = 5;

/** The version of the schema; undefined where the database holds nothing of Parley. */
export async function readSchemaVersion(queries: Queries): Promise<number | undefined> {
  try {
    const [row] = await queries.query<{ version: number }>("SELECT version FROM parley_schema");
    return row?.version;
  } catch (error) {
    if (sqlState(error) === UNDEFINED_TABLE) return undefined;
    throw error;
  }
}

/**
 * Brings the schema up to this executable's version, in one transaction that holds the row of the version: of servers that start at the
 * same time, one does it and the others wait. A role without the right to make tables may serve a database that is up to date.
 *
 * @throws UnusableDatabaseError when the database is of a newer Parley, of another program, or may not be changed by this role.
 */
export async function migrate(pool: Pool, address: StoreAddress): Promise<void> {
  for (let races = 0; ; races += 1) {
    const version = await readSchemaVersion(pool);
    refuseNewer(address, version);
    if (version === LATEST_SCHEMA) return;
    try {
      return await applyMigrations(pool);
    } catch (error) {
      if (EXISTS_ALREADY.test(sqlState(error) ?? "") && races < MOST_RACES) continue;
      throw explain(address, error);
    }
  }
}

function refuseNewer(address: StoreAddress, version: number | undefined): void {
  if (version === undefined || version <= LATEST_SCHEMA) return;
  throw new UnusableDatabaseError(
    `${address.shown} was written by a newer Parley (schema ${version}, this one knows ${LATEST_SCHEMA}); run the newer executable`,
  );
}

async function applyMigrations(pool: Pool): Promise<void> {
  await pool.transaction(async (queries) => {
    await queries.query(
      "CREATE TABLE IF NOT EXISTS parley_schema (key int PRIMARY KEY, version int NOT NULL)",
    );
    await queries.query("INSERT INTO parley_schema (key, version) VALUES (1, 0) ON CONFLICT DO NOTHING");
    const [row] = await queries.query<{ version: number }>("SELECT version FROM parley_schema FOR UPDATE");
    for (const sql of MIGRATIONS.slice(row!.version)) await queries.runScript(sql);
    await queries.query("UPDATE parley_schema SET version = greatest(version, $1)", [LATEST_SCHEMA]);
  });
}

/** What an operator is told of an error that came of opening the database. */
function explain(address: StoreAddress, error: unknown): unknown {
  const state = sqlState(error) ?? "";
  if (state === NO_RIGHT) {
    const message = `the role of ${address.shown} may not bring the database up to date (${(error as Error).message}); run one command, as \`parley bot list\`, as the owner of the database`;
    return new UnusableDatabaseError(message, { cause: error });
  }
  if (!EXISTS_ALREADY.test(state)) return error;
  const message = `${address.shown} holds tables of another program (${(error as Error).message}); give Parley a database of its own`;
  return new UnusableDatabaseError(message, { cause: error });
}
