import type { Command } from "@commander-js/extra-typings";

import { formatBytes } from "../../domain/bytes.ts";
import { type Restored, restoreDatabase } from "../../store/sqlite/backup/restore-database.ts";
import { LATEST_SCHEMA } from "../../store/sqlite/migrate.ts";
import { describeContents, withCopyProgress } from "../copy-progress.ts";
import { refusePostgres } from "../data-folder.ts";
import { addExamples } from "../examples.ts";
import { formatJson } from "../format.ts";
import { addSettings, readConfig } from "../settings-options.ts";
import type { Terminal } from "../terminal.ts";

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
