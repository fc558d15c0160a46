import { existsSync } from "node:fs";
import { join } from "node:path";

import { readTablesButChanges } from "../../support/databases.ts";
import type { TortureFolder } from "../folder.ts";
import { copyFolder } from "../folder.ts";
import { failCommand } from "./commands.ts";
import type { FaultOptions } from "./fault-options.ts";
import { talkBriefly } from "./talk-briefly.ts";

const FILE = "data/backups/copy.db";

/** A backup is whole or is not there, and the database stays as it is. */
export async function failBackups(options: FaultOptions): Promise<void> {
  using spoken = copyFolder(options.seeded);
  await talkBriefly(spoken);
  const tables = readTablesButChanges(spoken.database);
  await failCommand(options, {
    name: "backup",
    args: ["backup", FILE],
    prepare: () => copyFolder(spoken),
    check: async (folder, { exitCode, stderr }, place) => {
      const isThere = existsSync(join(folder.path, FILE));
      if (isThere) expectBackup(folder, tables);
      else if (exitCode === 0) throw new Error("said to be made, and not there");
      else if (place.includes("short write")) throw new Error("a short write is no failure");
      if (isThere && /no backup was made|nothing was changed/.test(stderr))
        throw new Error(`not true: ${stderr}`);
      if (!Bun.deepEquals(readTablesButChanges(folder.database), tables))
        throw new Error("the database has changed");
      const again = await folder.run(["backup", FILE, "--force"]);
      if (again.exitCode !== 0) throw new Error(`no backup afterwards: ${again.stderr}`);
      expectBackup(folder, tables);
    },
  });
}

function expectBackup(folder: TortureFolder, tables: Map<string, string[]>): void {
  const copy = readTablesButChanges(join(folder.path, FILE));
  if (!Bun.deepEquals(copy, tables)) throw new Error("the backup differs from the database");
}
