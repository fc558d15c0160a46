import { chmodSync, existsSync, lstatSync, readdirSync, rmSync } from "node:fs";
import { basename, dirname, join } from "node:path";

import type { Database } from "better-sqlite3";

import type { Now } from "../../domain/time.ts";
import type { OnUpgrade } from "../on-upgrade.ts";
import { UnusableDatabaseError } from "../unusable-database.ts";
import { giveName, ownLike, syncPath } from "./backup/durable-files.ts";
import { PartFile, removeAbandonedParts } from "./backup/part-file.ts";
import { Sqlite } from "./driver.ts";
import { sqliteCode } from "./failure.ts";
import { claimFolder } from "./folder-claim.ts";
import initial from "./migrations/0001-initial.sql" with { type: "text" };
import sentenceModels from "./migrations/0002-sentence-models.sql" with { type: "text" };
import suggestions from "./migrations/0003-suggestions.sql" with { type: "text" };
import turnsByTime from "./migrations/0004-turns-by-time.sql" with { type: "text" };
import clock from "./migrations/0005-clock.sql" with { type: "text" };
import leases from "./migrations/0006-leases.sql" with { type: "text" };
import changes from "./migrations/0007-changes.sql" with { type: "text" };
import suggestionLists from "./migrations/0008-suggestion-lists.sql" with { type: "text" };
import botLimits from "./migrations/0009-bot-limits.sql" with { type: "text" };
import knowledge from "./migrations/0010-knowledge.sql" with { type: "text" };
import operators from "./migrations/0011-operators.sql" with { type: "text" };
import botTexts from "./migrations/0012-bot-texts.sql" with { type: "text" };
import analytics from "./migrations/0013-analytics.sql" with { type: "text" };
import handoff from "./migrations/0014-handoff.sql" with { type: "text" };
import events from "./migrations/0015-events.sql" with { type: "text" };
import ratings from "./migrations/0016-ratings.sql" with { type: "text" };
import deliveryLists from "./migrations/0017-delivery-lists.sql" with { type: "text" };
import handoffKeys from "./migrations/0018-handoff-keys.sql" with { type: "text" };
import madeByKey from "./migrations/0019-made-by-key.sql" with { type: "text" };
import deletedBots from "./migrations/0020-deleted-bots.sql" with { type: "text" };
import assets from "./migrations/0021-assets.sql" with { type: "text" };
import vectors from "./migrations/0022-vectors.sql" with { type: "text" };
import subjects from "./migrations/0023-subjects.sql" with { type: "text" };
import standalone from "./migrations/0024-standalone.sql" with { type: "text" };
import actions from "./migrations/0025-actions.sql" with { type: "text" };

/** Append-only: a migration that has been released is never edited. Position + 1 is SQLite's `user_version`. */
const MIGRATIONS: readonly string[] = [
  initial,
  sentenceModels,
  suggestions,
  turnsByTime,
  clock,
  leases,
  changes,
  suggestionLists,
  botLimits,
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
  assets,
  vectors,
  subjects,
  standalone,
  actions,
];

export const LATEST_SCHEMA = MIGRATIONS.length;

/** "Parl" in ASCII: distinguishes a Parley database from any other SQLite file. */
export const APPLICATION_ID = 0x5061726c;

interface MigrateOptions {
  now: Now;
  migrations?: readonly string[];
  onUpgrade?: OnUpgrade | undefined;
}

/** Table with the copy made before an upgrade, and the state after the latest step; it exists until the upgrade is finished. */
const UNFINISHED = "unfinished_upgrade";
/** A step that takes longer is reported. Chosen by hand. */
const LONG_STEP_MS = 1000;
/** Interval between two looks at whether another process is done. Chosen by hand. */
const CLAIM_PAUSE_MS = 50;

/**
 * Migrates the schema to this executable's version in one transaction for each migration, which holds the write lock: of several processes,
 * one runs each migration, and the others wait without a time limit. An interrupted upgrade continues at the next start. Before it, while
 * others write, an existing file is copied to `<file>.v<old version>.<instant>.backup`. The two latest copies are kept.
 *
 * @throws UnusableDatabaseError if the file is of a newer Parley, or of another program.
 */
export function migrate(
  db: Database,
  file: string,
  { now, migrations = MIGRATIONS, onUpgrade = () => {} }: MigrateOptions,
): void {
  const version = readPragma(db, "user_version");
  const latest = migrations.length;
  refuseForeignFile(db, file, version, latest);
  if (version === latest) return;
  const isUpgrade = version > 0 && file !== ":memory:";
  if (!isUpgrade) return makeSteps(db, file, { now, migrations, onUpgrade });
  onUpgrade(`${file} is copied and brought up to date, from schema ${version} to ${latest}`);
  const claimFile = `${file}.upgrading`;
  using held = new DisposableStack();
  held.adopt(claimUpgrade(file, claimFile, onUpgrade), (claim) => claim.close());
  if (readPragma(db, "user_version") < latest) copyBefore(db, file, { now, onUpgrade });
  makeSteps(db, file, { now, migrations, onUpgrade });
  pruneCopies(file);
  rmSync(claimFile, { force: true });
}

/** Waits for other processes that copy and migrate the file; running servers continue to write. */
function claimUpgrade(file: string, claimFile: string, onUpgrade: OnUpgrade): { close: () => void } {
  for (let attempt = 0; ; attempt += 1) {
    const claim = claimFolder(claimFile);
    if (claim) return claim;
    if (attempt === 0) onUpgrade(`${file} is waited for: another process brings it up to date`);
    Bun.sleepSync(CLAIM_PAUSE_MS);
  }
}

function makeSteps(
  db: Database,
  file: string,
  { now, migrations, onUpgrade }: { now: Now; migrations: readonly string[]; onUpgrade: OnUpgrade },
): void {
  const version = readPragma(db, "user_version");
  const latest = migrations.length;
  for (const [index, sql] of migrations.entries()) {
    if (index < version) continue;
    const begunAt = now();
    whenFree(db, file, onUpgrade, () => {
      // Another process may have run this migration while we waited.
      if (readPragma(db, "user_version") > index) return;
      db.exec(sql);
      if (index + 1 === latest) db.exec(`DROP TABLE IF EXISTS ${UNFINISHED}`);
      else if (findCopy(db)) db.prepare(`UPDATE ${UNFINISHED} SET held = ?`).run(whatItHolds(db));
      db.pragma(`application_id = ${APPLICATION_ID}`);
      db.pragma(`user_version = ${index + 1}`);
    });
    const seconds = Math.round((now() - begunAt) / 1000);
    if (now() - begunAt > LONG_STEP_MS)
      onUpgrade(`${file} is at schema ${index + 1} of ${latest} (${seconds} s)`);
  }
  // Another process may be of a newer version.
  refuseForeignFile(db, file, readPragma(db, "user_version"), latest);
}

/** Runs the work in a transaction with the write lock, once the lock is free. */
function whenFree(db: Database, file: string, onUpgrade: OnUpgrade, work: () => void): void {
  for (let attempt = 0; ; attempt += 1) {
    try {
      return db.transaction(work).immediate();
    } catch (error) {
      if (!sqliteCode(error)?.startsWith("SQLITE_BUSY")) throw error;
      if (attempt === 0) onUpgrade(`${file} is waited for: another process brings it up to date, or writes`);
    }
  }
}

/** Number of kept copies. Visitors' messages would otherwise stay in old copies for ever; the second is for an operator who goes back two versions. */
const KEPT_COPIES = 2;

/**
 * Copies the database without the write lock. The copy of an interrupted upgrade is kept if that upgrade made a step and no other process has
 * written since, as an executable of the version that it stopped at might. Before the first step an older server may have written
 * undetected, so the copy is made again and replaces the first.
 */
function copyBefore(
  db: Database,
  file: string,
  { now, onUpgrade }: { now: Now; onUpgrade: OnUpgrade },
): void {
  const version = readPragma(db, "user_version");
  const made = findCopy(db);
  const isThere = made !== undefined && existsSync(join(dirname(file), made.copy));
  const isOfThisVersion = isThere && made.copy.startsWith(`${basename(file)}.v${version}.`);
  if (isThere && !isOfThisVersion && made.held === whatItHolds(db)) return;
  const copy = `${file}.v${version}.${now()}.backup`;
  try {
    writeCopy(file, copy, now);
  } catch (error) {
    throw new UnusableDatabaseError(
      `${file} is of an older version, and was not copied before it is brought up to date: ${(error as Error).message}; nothing was changed`,
      { cause: error },
    );
  }
  whenFree(db, file, onUpgrade, () => {
    db.exec(
      `DROP TABLE IF EXISTS ${UNFINISHED}; CREATE TABLE ${UNFINISHED} (copy TEXT NOT NULL, held TEXT) STRICT`,
    );
    db.prepare(`INSERT INTO ${UNFINISHED} (copy) VALUES (?)`).run(basename(copy));
  });
  if (isOfThisVersion) rmSync(join(dirname(file), made.copy));
}

/** The copy of an unfinished upgrade, and the state after its latest step. */
function findCopy(db: Database): { copy: string; held: string | null } | undefined {
  const isThere = db.prepare("SELECT 1 FROM sqlite_schema WHERE name = ?").get(UNFINISHED) !== undefined;
  if (!isThere) return undefined;
  return db.prepare<[], { copy: string; held: string | null }>(`SELECT copy, held FROM ${UNFINISHED}`).get();
}

/** Detects writes of a server or a command: the highest key of each table, and the clock, which a running server moves on. */
function whatItHolds(db: Database): string {
  const tables = db
    .prepare<[string], string>(
      `SELECT name FROM pragma_table_list
       WHERE schema = 'main' AND type = 'table' AND NOT wr AND name NOT GLOB 'sqlite_*' AND name <> ? ORDER BY name`,
    )
    .pluck()
    .all(UNFINISHED);
  const highest = tables.map((table) => [
    table,
    db.prepare(`SELECT max(rowid) FROM "${table}"`).pluck().get(),
  ]);
  const heartbeat = tables.includes("clock") && db.prepare("SELECT heartbeat_at FROM clock").pluck().get();
  return JSON.stringify([highest, heartbeat]);
}

/** Copies committed data, readable for the owner only. The copy gets its name once it is complete and on disk; an existing file, or a link, is not replaced. */
function writeCopy(file: string, copy: string, now: Now): void {
  const folder = dirname(file);
  removeAbandonedParts(folder, now);
  using part = new PartFile(folder, now());
  using opened = new DisposableStack();
  const source = opened.adopt(new Sqlite(file, { readonly: true }), (db) => db.close());
  // SQLite fills an empty file and keeps its mode.
  source.prepare("VACUUM INTO ?").run(part.path);
  syncPath(part.path);
  ownLike(folder, part.path);
  if (!giveName(part.path, copy, { replace: false })) throw new Error(`${copy} is there already`);
  syncPath(folder);
}

/** Deletes all but the latest copies. A version of Parley before this one made them readable for everybody. */
function pruneCopies(file: string): void {
  const instantOf = (name: string) =>
    Number(/^\.v\d+\.(\d+)\.backup$/.exec(name.slice(basename(file).length))?.[1]);
  const copies = readdirSync(dirname(file))
    .filter((name) => name.startsWith(basename(file)) && instantOf(name) >= 0)
    .toSorted((one, other) => instantOf(other) - instantOf(one))
    .map((name) => join(dirname(file), name))
    .filter((path) => lstatSync(path).isFile());
  for (const path of copies.slice(0, KEPT_COPIES)) chmodSync(path, 0o600);
  for (const path of copies.slice(KEPT_COPIES)) rmSync(path, { force: true });
}

function refuseForeignFile(db: Database, file: string, version: number, latest: number): void {
  // Read first: another process may create the database in between, and sets the application id with its first table.
  const isEmpty = db.prepare("SELECT count(*) FROM sqlite_schema").pluck().get() === 0;
  if (!isEmpty && readPragma(db, "application_id") !== APPLICATION_ID) {
    throw new UnusableDatabaseError(`${file} is not a Parley database; choose another folder with --data`);
  }
  if (version > latest) {
    throw new UnusableDatabaseError(
      `${file} was written by a newer Parley (schema ${version}, this one knows ${latest}); run the newer executable`,
    );
  }
}

function readPragma(db: Database, name: string): number {
  return Number(db.pragma(name, { simple: true }));
}
