import type { Database } from "better-sqlite3";

import initial from "./migrations/0001-initial.sql" with { type: "text" };

/** Append-only: a migration that has been released is never edited. Position + 1 is SQLite's `user_version`. */
const MIGRATIONS: readonly string[] = [initial];

/** "Parl" in ASCII: tells a Parley database from any other SQLite file. */
const APPLICATION_ID = 0x5061726c;

/** The data directory holds something that this executable cannot use; `message` says what to do. */
export class UnusableDatabaseError extends Error {
  override name = "UnusableDatabaseError";
}

/**
 * Brings the schema up to this executable's version, in one transaction per migration; an existing file is copied to
 * `<file>.v<old version>.backup` first.
 *
 * @throws UnusableDatabaseError when the file is of a newer Parley, or of another program.
 */
export function migrate(db: Database, file: string): void {
  const version = readPragma(db, "user_version");
  refuseForeignFile(db, file, version);
  if (version === MIGRATIONS.length) return;
  if (version > 0 && file !== ":memory:") backupBeforeMigration(db, `${file}.v${version}.backup`);
  for (const [index, sql] of MIGRATIONS.entries()) {
    if (index >= version) applyMigration(db, index, sql);
  }
}

function refuseForeignFile(db: Database, file: string, version: number): void {
  const applicationId = readPragma(db, "application_id");
  const isEmpty = db.prepare("SELECT count(*) FROM sqlite_schema").pluck().get() === 0;
  if (applicationId !== APPLICATION_ID && !isEmpty) {
    throw new UnusableDatabaseError(`${file} is not a Parley database; choose another folder with --data`);
  }
  if (version > MIGRATIONS.length) {
    throw new UnusableDatabaseError(
      `${file} was written by a newer Parley (schema ${version}, this one knows ${MIGRATIONS.length}); run the newer executable`,
    );
  }
}

function backupBeforeMigration(db: Database, target: string): void {
  db.prepare("VACUUM INTO ?").run(`${target}.${Date.now()}`);
}

function applyMigration(db: Database, index: number, sql: string): void {
  // Another process may have migrated between the look and the lock.
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
