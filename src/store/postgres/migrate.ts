import type { StoreAddress } from "../../config/store-address.ts";
import type { OnUpgrade } from "../on-upgrade.ts";
import { UnusableDatabaseError } from "../unusable-database.ts";
import type { Queries, Transaction } from "./connection.ts";
import { isConflict, sqlState } from "./failure.ts";
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
import actionOfTurns from "./migrations/0020-action-of-turns.sql" with { type: "text" };
import actions from "./migrations/0021-actions.sql" with { type: "text" };
import { Pool } from "./pool.ts";

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
  actionOfTurns,
  actions,
];

export const LATEST_SCHEMA = MIGRATIONS.length;

const UNDEFINED_TABLE = "42P01";
const NO_RIGHT = "42501";
const LOCK_NOT_AVAILABLE = "55P03";
/** A table, a function or a catalogue row exists already: it belongs to another program. */
const EXISTS_ALREADY = /^(42P07|42710|42723|23505)$/;
/** Advisory lock of the schema upgrade: "Parl" in ASCII. */
const LOCK = 0x5061726c;
/** A migration has no time limit in practice; a lost connection is retried for a while. */
const MIGRATION_PATIENCE = { deadlineMs: 24 * 60 * 60 * 1000, retryMs: 60_000 };
/** A migration that takes longer is reported, and reported again whenever its duration has doubled. */
const FIRST_WORD_MS = 1000;
/**
 * Overrides the role's own limits, so that a migration is not cut (`transaction_timeout` exists since PostgreSQL 17). If the process dies, its
 * statement must end soon and free its locks: the server checks its connection (since PostgreSQL 14, on Linux).
 */
const LIMITS = `
  SELECT set_config(name, '0', true) FROM pg_settings
  WHERE name IN ('statement_timeout', 'lock_timeout', 'transaction_timeout', 'idle_in_transaction_session_timeout');
  SELECT set_config(name, '1000', true) FROM pg_settings
  WHERE name = 'client_connection_check_interval' AND version() LIKE '%linux%'`;
/**
 * While a migration waits for a table's lock, messages wait for it. A try therefore waits for less than half of a statement's deadline,
 * and longer than PostgreSQL needs to cancel an autovacuum in the way (`deadlock_timeout`, 1 s). Messages are served between two tries.
 */
const TRIES = { lockMs: 2000, pauseMs: 10_000 };

interface MigrateOptions {
  migrations?: readonly string[];
  onUpgrade?: OnUpgrade | undefined;
  /** How long a try waits for a locked table, and the pause before the next try. */
  tries?: typeof TRIES;
}

/** The version of the schema; undefined if the database holds nothing of Parley. */
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
 * Migrates the schema to this executable's version: a new database in one transaction, another in one for each migration, so that an
 * interrupted upgrade continues at the next start. Of several servers, one runs each migration, and the others wait without a time limit. A
 * migration waits for a table that a backup reads in short tries, between which messages go on. A role without the right to create tables
 * may serve a database of the current version.
 *
 * @param looking reads the version with a short deadline, so that an unreachable server is noticed in time.
 * @throws UnusableDatabaseError if the database is of a newer Parley, of another program, or may not be changed by this role.
 */
export async function migrate(
  looking: Pool,
  address: StoreAddress,
  { migrations = MIGRATIONS, onUpgrade = () => {}, tries = TRIES }: MigrateOptions = {},
): Promise<void> {
  const version = (await readSchemaVersion(looking)) ?? 0;
  const latest = migrations.length;
  refuseNewer(address, version, latest);
  if (version === latest) return;
  if (version > 0) onUpgrade(`${address.shown} is brought up to date, from schema ${version} to ${latest}`);
  await using pool = new Pool({ address, connections: 1, ...MIGRATION_PATIENCE });
  let reached = version;
  try {
    while (reached < latest) {
      using progress = reportProgress(`${address.shown} was at schema ${reached} of ${latest}`, onUpgrade);
      const waitForTable = () => {
        progress.waitsForTable();
        return Bun.sleep(tries.pauseMs);
      };
      reached = await pool.transaction((queries) =>
        applyNext(queries, migrations, { lockMs: tries.lockMs, waitForTable }),
      );
    }
  } catch (error) {
    throw explain(address, error);
  }
  // A server of a newer version may have upgraded the database while this one waited.
  refuseNewer(address, reached, latest);
}

function refuseNewer(address: StoreAddress, version: number, latest: number): void {
  if (version <= latest) return;
  throw new UnusableDatabaseError(
    `${address.shown} was written by a newer Parley (schema ${version}, this one knows ${latest}); run the newer executable`,
  );
}

interface ApplyOptions {
  lockMs: number;
  /** Called between two tries. */
  waitForTable: () => Promise<void>;
}

/** Applies all migrations to a new database, otherwise the next one. @returns the new version. */
async function applyNext(
  queries: Transaction,
  migrations: readonly string[],
  options: ApplyOptions,
): Promise<number> {
  await queries.runScript(LIMITS);
  await queries.query("SELECT pg_advisory_xact_lock($1)", [LOCK]);
  await queries.query("CREATE TABLE IF NOT EXISTS parley_schema (key int PRIMARY KEY, version int NOT NULL)");
  await queries.query("INSERT INTO parley_schema (key, version) VALUES (1, 0) ON CONFLICT DO NOTHING");
  // A version of Parley without the advisory lock waits for this row.
  const [row] = await queries.query<{ version: number }>("SELECT version FROM parley_schema FOR UPDATE");
  const version = row!.version;
  const next = version === 0 ? migrations : migrations.slice(version, version + 1);
  await runWhenFree(queries, next, options);
  await queries.query("UPDATE parley_schema SET version = $1", [version + next.length]);
  return version + next.length;
}

/**
 * Runs the scripts again until no table is locked for longer than a try waits. The transaction stays open, so that other upgrading servers
 * wait for it and do not try in the pauses; it holds no table's lock in the pauses.
 */
async function runWhenFree(
  queries: Transaction,
  scripts: readonly string[],
  { lockMs, waitForTable }: ApplyOptions,
): Promise<void> {
  await queries.runScript(`SET LOCAL lock_timeout = ${lockMs}`);
  await queries.runScript("SAVEPOINT before_migration");
  for (;;) {
    try {
      for (const sql of scripts) await queries.runScript(sql);
      return;
    } catch (error) {
      if (sqlState(error) !== LOCK_NOT_AVAILABLE && !isConflict(error)) throw error;
    }
    await queries.runScript("ROLLBACK TO SAVEPOINT before_migration");
    await waitForTable();
  }
}

interface Progress extends Disposable {
  waitsForTable(): void;
}

/** Reports after a second, and then ever more seldom, how long it has taken; at once if it waits for a table. */
function reportProgress(what: string, onUpgrade: OnUpgrade): Progress {
  const begunAt = performance.now();
  let isWaiting = false;
  let timer: ReturnType<typeof setTimeout>;
  const tell = () => {
    const doing = isWaiting
      ? "the next waits for a table: a backup or a report reads it"
      : "the next is made, or another server makes it";
    onUpgrade(`${what} ${Math.round((performance.now() - begunAt) / 1000)} s ago; ${doing}`);
  };
  const sayAfter = (ms: number) => {
    timer = setTimeout(() => {
      tell();
      sayAfter(performance.now() - begunAt);
    }, ms);
  };
  sayAfter(FIRST_WORD_MS);
  return {
    waitsForTable() {
      if (isWaiting) return;
      isWaiting = true;
      tell();
    },
    [Symbol.dispose]: () => clearTimeout(timer),
  };
}

/** The error for an operator when opening the database fails. */
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
