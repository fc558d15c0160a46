import { join } from "node:path";

import type { Command } from "@commander-js/extra-typings";

import { formatBytes } from "../../domain/bytes.ts";
import type { EpochMs } from "../../domain/time.ts";
import { backupDatabase } from "../../store/backup/backup-database.ts";
import { backupName, openBackupsFolder } from "../../store/backup/backup-names.ts";
import { describeContents, withCopyProgress } from "../copy-progress.ts";
import { requireDatabase } from "../data-folder.ts";
import { addExamples } from "../examples.ts";
import { formatJson } from "../format.ts";
import { addSettings, readConfig } from "../settings-options.ts";
import type { Terminal } from "../terminal.ts";

/** `parley backup` */
export function addBackup(program: Command, terminal: Terminal): void {
  const command = program
    .command("backup")
    .argument("[file]", "the file to make; without it, one in <data>/backups that is named after this moment")
    .description(
      "copy the database into one file, while a server serves or not; the file is there when its copy is whole, checked and on disk",
    )
    .option("--force", "replace a file that is there")
    .option("--json", "print JSON");
  addExamples(
    addSettings(command, ["data"]),
    "parley backup",
    "parley backup /mnt/backups/parley.db --force --data /var/lib/parley",
  );
  command.action(async (given, options) => {
    const { data } = readConfig(terminal, options);
    const database = requireDatabase({ data });
    const file = given ?? defaultFile(data, terminal.now());
    const backup = await withCopyProgress(terminal, (reins) =>
      backupDatabase({ database, file, replace: options.force === true, now: terminal.now, ...reins }),
    );
    const { bytes, contents } = backup;
    if (options.json) return terminal.print(formatJson({ file: backup.file, bytes, ...contents }));
    terminal.say(
      `backed up ${describeContents(contents)}\nto ${backup.file} (${formatBytes(bytes)}, checked)`,
    );
  });
}

function defaultFile(data: string, now: EpochMs): string {
  return join(openBackupsFolder(data), backupName(now));
}
