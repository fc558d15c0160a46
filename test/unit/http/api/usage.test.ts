import { afterEach, beforeEach, expect, test } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import type { Call } from "../../../../src/http/api/frame.ts";
import { usageRoutes } from "../../../../src/http/api/overview.ts";
import { ModelUsers } from "../../../../src/operate/model-rows.ts";
import { shopBot } from "../../../support/bots.ts";
import { openTestStore, type TestStore } from "../../../support/store-under-test.ts";

let folder: string;
let opened: TestStore;
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), "parley-usage-"));
  opened = await openTestStore(folder, () => 0);
  const model = { kind: "model" as const, models: ["local"] };
  await opened.store.bots.seed(
    [
      shopBot({ id: "asking", responder: model }),
      shopBot({ id: "capped", monthlyMessageCap: 7 }),
      shopBot({ id: "damaged", monthlyMessageCap: 9 }),
    ],
    { prune: false, dryRun: false },
  );
  await opened.runSql(
    `UPDATE bot_versions SET document = '{"name":"No bot"}' WHERE bot_key = (SELECT key FROM bots WHERE id = 'damaged')`,
  );
});
afterEach(async () => {
  await opened.store[Symbol.asyncDispose]();
  await opened.drop();
  rmSync(folder, { recursive: true });
});

test("what bots have used is told without their documents", async () => {
  const [usage] = usageRoutes({ store: opened.store, now: () => 0 });
  expect(await usage!.answer({} as Call)).toEqual({
    month: "1970-01",
    items: [
      { bot: "asking", messages: 0, modelTokens: 0 },
      { bot: "capped", messages: 0, cap: 7, modelTokens: 0 },
      { bot: "damaged", messages: 0, cap: 9, modelTokens: 0 },
    ],
  });
});

test("which bots ask which model servers is read once of each version, and one that is damaged hides no other", async () => {
  const { store } = opened;
  let reads = 0;
  const users = new ModelUsers({
    bots: store.bots,
    findBotDocument: (bot) => {
      reads += 1;
      return store.findBotDocument(bot);
    },
  });
  const asking = async () => (await users.list()).map(({ id, servers }) => [String(id), Array.from(servers)]);
  const expected = [
    ["asking", ["local"]],
    ["capped", []],
    ["damaged", []],
  ];
  expect(await asking()).toEqual(expected);
  expect(await asking()).toEqual(expected);
  expect(reads).toBe(3);
  await store.bots.seed([shopBot({ id: "asking" })], { prune: false, dryRun: false });
  expect((await asking())[0]).toEqual(["asking", []]);
  expect(reads).toBe(4);
});
