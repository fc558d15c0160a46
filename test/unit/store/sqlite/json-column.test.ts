import { afterEach, beforeEach, expect, test } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import type { ConversationId, RequestId } from "../../../../src/domain/ids.ts";
import { Sqlite } from "../../../../src/store/sqlite/driver.ts";
import { SqliteStore } from "../../../../src/store/sqlite/sqlite-store.ts";
import { botWith, shopBot } from "../../../support/bots.ts";
import { turnWith } from "../../../support/turns.ts";

const SEED = { prune: false, dryRun: false };
let dataDir: string;
let store: SqliteStore;

beforeEach(async () => {
  dataDir = mkdtempSync(join(tmpdir(), "parley-test-"));
  store = new SqliteStore({ dataDir, now: () => 0, busyTimeoutMs: 1000 });
  await store.bots.seed([shopBot()], SEED);
  await store.recordTurn({
    bot: (await store.bots.find("shop"))!.key,
    conversationId: "cv_1" as ConversationId,
    turn: turnWith({ requestId: "rq_1" as RequestId, at: 0 }),
  });
});
afterEach(async () => {
  await store[Symbol.asyncDispose]();
  rmSync(dataDir, { recursive: true });
});

/** As a failing disk or a strange program would. */
function spoil(sql: string, text: string): void {
  const db = new Sqlite(join(dataDir, "parley.db"));
  db.prepare(sql).run(text);
  db.close();
}

test.each([
  ["{", "JSON"],
  ['{"botVersion":1}', "/thresholds: Expected required property"],
  [
    '{"botVersion":1,"rule":"whim","thresholds":{"match":0.5,"deny":0.4},"readings":[],"stagesMs":{}}',
    "/rule: Expected union value",
  ],
  ["[]", "the whole: Expected object"],
])("a receipt that is %s is reported by table, column and row", (text, fault) => {
  spoil("UPDATE turns SET receipt = ?", text);
  const read = () => store.conversations.findTurnByRequest("rq_1");
  expect(read).toThrow(/^turns\.receipt of turn 1 \(rq_1\) cannot be read/);
  expect(read).toThrow(fault);
});

test("a bot that is corrupt is reported by its id and version, and mended by seeding it again", async () => {
  spoil("UPDATE bot_versions SET document = ?", '{"id":"shop","name":"Shop"}');
  expect(() => store.bots.list()).toThrow(
    /^bot_versions\.document of bot `shop`, version 1 cannot be read \(\/allowedDomains: .*\); seed the bot again$/,
  );
  expect(await store.bots.seed([shopBot()], SEED)).toEqual([{ botId: shopBot().id, change: "updated" }]);
  expect(await store.bots.find("shop")).toMatchObject({ version: 2, document: { name: "Shop" } });
});

test("the hundredth document of a column is checked as the first", async () => {
  const bots = Array.from({ length: 100 }, (_, n) => botWith({ id: `bot-${n}`, allowedDomains: [] }));
  await store.bots.seed(bots, { prune: true, dryRun: false });
  for (const { id } of bots) expect((await store.bots.find(id))!.document.id).toBe(id);
  spoil("UPDATE bot_versions SET document = ?", '{"id":"shop","name":"Shop"}');
  for (const { id } of bots) await expect(store.bots.find(id)).rejects.toThrow("/allowedDomains: Expected");
});
