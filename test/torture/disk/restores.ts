import { cpSync } from "node:fs";
import { join } from "node:path";

import { readTablesButChanges } from "../../support/databases.ts";
import { copyFolder } from "../folder.ts";
import { failCommand } from "./commands.ts";
import type { FaultOptions } from "./fault-options.ts";
import { talkBriefly } from "./talk-briefly.ts";

/** The folder has the old database or the new one, whole; a restore that says that it is done has put in the new one. */
export async function failRestores(options: FaultOptions): Promise<void> {
  using current = copyFolder(options.seeded);
  using backedUp = copyFolder(options.seeded);
  await talkBriefly(current);
  await talkBriefly(backedUp);
  const file = join(current.path, "backup.db");
  cpSync(backedUp.database, file);
  const [before, after] = [readTablesButChanges(current.database), readTablesButChanges(file)];
  await failCommand(options, {
    name: "restore",
    args: ["restore", "backup.db"],
    prepare: () => copyFolder(current),
    check: async (folder, { exitCode, stderr }) => {
      const found = readTablesButChanges(folder.database);
      const isNew = Bun.deepEquals(found, after);
      if (!isNew && exitCode === 0) throw new Error("said to be restored, and is not");
      if (!isNew && !Bun.deepEquals(found, before))
        throw new Error("neither the old database nor the new one");
      if (isNew && stderr.includes("nothing was changed")) throw new Error(`not true: ${stderr}`);
      const again = await folder.run(["restore", "backup.db"]);
      if (again.exitCode !== 0) throw new Error(`no restore afterwards: ${again.stderr}`);
      if (!Bun.deepEquals(readTablesButChanges(folder.database), after))
        throw new Error("a second restore differs");
    },
  });
}
