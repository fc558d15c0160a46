import { mkdirSync } from "node:fs";
import { dirname } from "node:path";

import { Sqlite } from "../../../src/store/sqlite/driver.ts";
import { LATEST_SCHEMA, migrate } from "../../../src/store/sqlite/migrate.ts";
import initial from "../../../src/store/sqlite/migrations/0001-initial.sql" with { type: "text" };
import { TortureFolder, copyFolder } from "../folder.ts";
import { failCommand } from "./commands.ts";
import type { FaultOptions } from "./fault-options.ts";

const OLD_TURNS = 300;

/** A folder of the first schema is brought up to date, or stays as it was; no turn goes. */
export async function failMigrations(options: FaultOptions): Promise<void> {
  using old = makeOldFolder();
  await failCommand(options, {
    name: "migration",
    args: ["bot", "list"],
    prepare: () => copyFolder(old),
    check: async (folder) => {
      const { exitCode, stderr } = await folder.run(["bot", "list"]);
      if (exitCode !== 0) throw new Error(`cannot be opened afterwards: ${stderr}`);
      checkMigrated(folder);
    },
  });
}

function makeOldFolder(): TortureFolder {
  const folder = new TortureFolder();
  mkdirSync(dirname(folder.database), { mode: 0o700 });
  const db = new Sqlite(folder.database);
  db.pragma("journal_mode = WAL");
  migrate(db, folder.database, { now: Date.now, migrations: [initial] });
  db.exec(`
    INSERT INTO bots (id, enabled, version, created_at, updated_at) VALUES ('old', 1, 1, 0, 0);
    INSERT INTO bot_versions (bot_key, version, document, created_at)
      VALUES (1, 1, '{"id":"old","name":"Old","allowedDomains":[]}', 0);
    INSERT INTO conversations (id, bot_key, created_at) VALUES ('cv_old', 1, 0);
    INSERT INTO monthly_usage (bot_key, month, messages) VALUES (1, '2026-11', ${OLD_TURNS});`);
  const insert = db.prepare(`
    INSERT INTO turns (request_id, conversation_key, bot_version, state, at, input, response, capability_allowed, schema_enforced,
      schema_fallback_used, receipt)
    VALUES (?, 1, 1, 'complete', ?, ?, 'an answer', 1, 0, 0, '{"suggestions":["orders.status"]}')`);
  db.transaction(() => {
    for (let n = 0; n < OLD_TURNS; n++) insert.run(`rq_${n}`, n, inputOf(n));
  })();
  db.close();
  return folder;
}

const inputOf = (n: number) => `message ${n} of an older Parley`;

function checkMigrated(folder: TortureFolder): void {
  const db = new Sqlite(folder.database, { readonly: true, fileMustExist: true });
  try {
    const version = Number(db.pragma("user_version", { simple: true }));
    if (version !== LATEST_SCHEMA) throw new Error(`schema ${version}`);
    const integrity = db.pragma("integrity_check", { simple: true });
    if (integrity !== "ok") throw new Error(String(integrity));
    const inputs = db.prepare("SELECT input FROM turns ORDER BY key").pluck().all();
    const expected = Array.from({ length: OLD_TURNS }, (_, n) => inputOf(n));
    if (!Bun.deepEquals(inputs, expected)) throw new Error(`${inputs.length} of ${OLD_TURNS} turns`);
    const label = db.prepare("SELECT DISTINCT json_extract(receipt, '$.suggestions[0].label') FROM turns");
    if (!Bun.deepEquals(label.pluck().all(), ["orders.status"])) throw new Error("suggestions not migrated");
  } finally {
    db.close();
  }
}
