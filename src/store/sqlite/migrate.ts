import { chmodSync, closeSync, lstatSync, openSync, readdirSync, rmSync } from "node:fs";
import { basename, dirname, join } from "node:path";

import type { Database } from "better-sqlite3";

import type { Now } from "../../domain/time.ts";
import { UnusableDatabaseError } from "../unusable-database.ts";
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

/** "Parl" in ASCII: tells a Parley database from any other SQLite file. */
export const APPLICATION_ID = 0x5061726c;

interface MigrateOptions {
  now: Now;
  migrations?: readonly string[];
}

/**
 * Brings the schema up to this executable's version, in one transaction per migration; an existing file is copied to
 * `<file>.v<old version>.<instant>.backup` first. The two latest copies are kept.
 *
 * @throws UnusableDatabaseError when the file is of a newer Parley, or of another program.
 */
export function migrate(db: Database, file: string, { now, migrations = MIGRATIONS }: MigrateOptions): void {
  const version = readPragma(db, "user_version");
  refuseForeignFile(db, file, version, migrations.length);
  if (version === migrations.length) return;
  if (version > 0 && file !== ":memory:") {
    copyFirst(db, file, `${file}.v${version}.${now()}.backup`);
  }
  for (const [index, sql] of migrations.entries()) {
    if (index >= version) applyMigration(db, index, sql);
  }
  if (version > 0 && file !== ":memory:") pruneCopies(file);
}

/** Messages of visitors would otherwise stay in old copies for ever; the one before the last is for an operator who goes back two versions. */
const KEPT_COPIES = 2;

/** Copies the database for its owner alone. SQLite fills an empty file and keeps its mode; a file that is there, or a link, is left alone. */
function copyFirst(db: Database, file: string, copy: string): void {
  try {
    closeSync(openSync(copy, "wx", 0o600));
  } catch (error) {
    throw new UnusableDatabaseError(
      `${file} is of an older version, and was not copied before it is brought up to date: ${(error as Error).message}; nothing was changed`,
      { cause: error },
    );
  }
  try {
    db.prepare("VACUUM INTO ?").run(copy);
  } catch (error) {
    rmSync(copy, { force: true });
    throw error;
  }
}

/** Deletes all but the latest copies. Earlier versions let everybody read them. */
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
  const applicationId = readPragma(db, "application_id");
  const isEmpty = db.prepare("SELECT count(*) FROM sqlite_schema").pluck().get() === 0;
  if (applicationId !== APPLICATION_ID && !isEmpty) {
    throw new UnusableDatabaseError(`${file} is not a Parley database; choose another folder with --data`);
  }
  if (version > latest) {
    throw new UnusableDatabaseError(
      `${file} was written by a newer Parley (schema ${version}, this one knows ${latest}); run the newer executable`,
    );
  }
}

function applyMigration(db: Database, index: number, sql: string): void {
  // Another process may have applied this migration after we read the version and before we got the lock.
  db.transaction(() => {
    if (readPragma(db, "user_version") > index) return;
    db.exec(sql);
    db.pragma(`application_id = ${APPLICATION_ID}`);
    db.pragma(`user_version = ${index + 1}`);
  }).immediate();
}

function readPragma(db: Database, name: string): number {
  return Number(db.pragma(name, { simple: true }));
}
