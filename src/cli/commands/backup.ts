import { join } from "node:path";

import { type Command, Option } from "@commander-js/extra-typings";
import { Value } from "@sinclair/typebox/value";

import { formatBytes } from "../../domain/bytes.ts";
import { Actor } from "../../domain/change.ts";
import type { EpochMs } from "../../domain/time.ts";
import { type Backup, backupDatabase } from "../../store/sqlite/backup/backup-database.ts";
import { backupName, openBackupsFolder } from "../../store/sqlite/backup/backup-names.ts";
import { type Restored, restoreDatabase } from "../../store/sqlite/backup/restore-database.ts";
import { sqliteCode } from "../../store/sqlite/failure.ts";
import { noteInDatabase } from "../../store/sqlite/file-changes.ts";
import { LATEST_SCHEMA } from "../../store/sqlite/migrate.ts";
import { describeContents, withCopyProgress } from "../copy-progress.ts";
import { refusePostgres, requireDatabase } from "../data-folder.ts";
import { addExamples } from "../examples.ts";
import { formatJson } from "../format.ts";
import { addSettings, readConfig } from "../settings-options.ts";
import type { Terminal } from "../terminal.ts";

const DUMP_INSTEAD =
  "back it up with PostgreSQL's tools, for example `pg_dump --format=custom --file=parley.dump postgres://…` or continuous archiving; restore it with `pg_restore --dbname=postgres://… parley.dump`";

/** `parley backup` */
export function addBackup(program: Command, terminal: Terminal): void {
  const command = program
    .command("backup")
    .argument(
      "[file]",
      "the file to write; without it, a file in <data>/backups named after the current time",
    )
    .description(
      "copy the database to a file, also while a server runs; the file appears when the copy is complete, checked and on disk",
    )
    .option("--force", "replace an existing file")
    .option("--json", "print JSON")
    // Set by a server that starts this command, for scheduled backups and for operators in the console.
    .addOption(new Option("--scheduled").hideHelp())
    .addOption(new Option("--by <actor>").hideHelp().argParser(parseActor));
  addExamples(
    addSettings(command, ["data", "store"]),
    "parley backup",
    "parley backup /mnt/backups/parley.db --force --data /var/lib/parley",
  );
  command.action(async (given, options) => {
    const config = readConfig(terminal, options);
    refusePostgres(config, DUMP_INSTEAD);
    const { data } = config;
    const database = requireDatabase({ data });
    const file = given ?? defaultFile(data, terminal.now());
    const backup = await withCopyProgress(terminal, (reins) =>
      backupDatabase({ database, file, replace: options.force === true, now: terminal.now, ...reins }),
    );
    const { bytes, contents } = backup;
    note(terminal, database, backup, authorOf(terminal, options));
    if (options.json) return terminal.print(formatJson({ file: backup.file, bytes, ...contents }));
    terminal.say(
      `backed up ${describeContents(contents)}\nto ${backup.file} (${formatBytes(bytes)}, checked)`,
    );
  });
}

/** The author of the backup for the audit. */
function authorOf({ actor }: Terminal, { scheduled, by }: { scheduled?: true; by?: Actor }): Actor {
  return by ?? (scheduled ? { ...actor(), kind: "server", command: "serve" } : actor());
}

function parseActor(text: string): Actor {
  return Value.Parse(Actor, JSON.parse(text));
}

/** If the audit entry cannot be written, for example because the disk is full, the backup is still valid. */
function note(
  { now, say, colours }: Terminal,
  database: string,
  { file, bytes, contents }: Backup,
  by: Actor,
): void {
  const fields = Object.entries({ bytes, ...contents }).map(([field, after]) => ({ field, after }));
  const change = { kind: "database.backed-up" as const, subject: file, bots: [], fields };
  const reason = reasonNotToNote(() => noteInDatabase(database, change, by, now));
  if (reason !== undefined) {
    say(
      `${colours.err.yellow("warning:")} the backup was made, but not recorded in \`audit changes\`: ${reason}`,
    );
  }
}

function reasonNotToNote(attempt: () => boolean): string | undefined {
  try {
    return attempt() ? undefined : "the database is of an older version";
  } catch (error) {
    if (sqliteCode(error) === undefined) throw error;
    return (error as Error).message;
  }
}

function defaultFile(data: string, now: EpochMs): string {
  return join(openBackupsFolder(data), backupName(now));
}

/** `parley restore` */
export function addRestore(program: Command, terminal: Terminal): void {
  const command = program
    .command("restore")
    .argument("<file>", "the backup, which is only read")
    .description(
      "put a backup in the place of the data folder's database, once its copy is checked; what it replaces is kept beside it.\n" +
        "Refused while a server runs on the folder.",
    )
    .option("--json", "print JSON");
  addExamples(
    addSettings(command, ["data", "store"]),
    "parley restore parley.db",
    "parley restore /mnt/backups/parley.db --data /var/lib/parley",
  );
  command.action(async (file, options) => {
    const config = readConfig(terminal, options);
    refusePostgres(config, "restore a dump with `pg_restore --dbname=postgres://… parley.dump`");
    const { data } = config;
    const restored = await withCopyProgress(terminal, (reins) =>
      restoreDatabase({ file, dataDir: data, now: terminal.now, by: terminal.actor(), ...reins }),
    );
    const { database, bytes, contents, kept } = restored;
    if (options.json) return terminal.print(formatJson({ database, bytes, ...contents, kept }));
    terminal.say(linesOf(restored).join("\n"));
  });
}

function linesOf({ database, bytes, contents, kept }: Restored): string[] {
  const lines = [`restored ${describeContents(contents)}`, `to ${database} (${formatBytes(bytes)}, checked)`];
  if (kept.length > 0) lines.push(`the earlier files are kept: ${kept.join(", ")}`);
  if (contents.schema < LATEST_SCHEMA) {
    lines.push(`the first start migrates its schema from ${contents.schema} to ${LATEST_SCHEMA}`);
  }
  return lines;
}
