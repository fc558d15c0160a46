import { expect, test } from "bun:test";
import { mkdtempSync, readFileSync, readdirSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import type { Turn } from "../../../../src/domain/conversation.ts";
import type { ConversationId, RequestId } from "../../../../src/domain/ids.ts";
import { deleteIdleConversations } from "../../../../src/store/aggregates/expiry.ts";
import { Sqlite } from "../../../../src/store/sqlite/driver.ts";
import { runNow } from "../../../../src/store/sqlite/sqlite-engine.ts";
import { SqliteStore } from "../../../../src/store/sqlite/sqlite-store.ts";
import { shopBot } from "../../../support/bots.ts";
import { turnWith } from "../../../support/turns.ts";

const AT = Date.UTC(2026, 0, 10);

function turnOf(requestId: string, input: string): Turn {
  return turnWith({ requestId: requestId as RequestId, at: AT, input });
}

async function openFolder() {
  const dataDir = mkdtempSync(join(tmpdir(), "parley-test-"));
  const store = new SqliteStore({ dataDir, now: () => AT, busyTimeoutMs: 0 });
  await store.bots.seed([shopBot()], { prune: false, dryRun: false });
  const bot = (await store.bots.find("shop"))!.key;
  const say = (conversation: string, requestId: string, input: string) =>
    store.recordTurn({ bot, conversationId: conversation as ConversationId, turn: turnOf(requestId, input) });
  return { dataDir, store, say };
}

const holdsText = (dataDir: string, text: string) =>
  readdirSync(dataDir).some((name) => readFileSync(join(dataDir, name)).includes(text));

test("an erased conversation leaves no text on disk", async () => {
  const { dataDir, store, say } = await openFolder();
  await say("cv_kept", "rq_1", "the other canary");
  await say("cv_erased", "rq_2", `the canary ${"sings ".repeat(2000)}`);
  expect(holdsText(dataDir, "sings")).toBe(true);
  await store.erasure.erase([{ id: "cv_erased" }], {});
  await store[Symbol.asyncDispose]();
  expect(holdsText(dataDir, "the other canary")).toBe(true);
  expect(holdsText(dataDir, "the canary")).toBe(false);
  expect(holdsText(dataDir, "sings")).toBe(false);
});

test("deletes idle conversations in steps, whichever bot they are of, and keeps those that still speak", async () => {
  const { dataDir, store, say } = await openFolder();
  await store.bots.seed([shopBot({ id: "other" })], { prune: false, dryRun: false });
  const other = (await store.bots.find("other"))!.key;
  await say("cv_old", "rq_1", "long ago");
  await say("cv_alive", "rq_2", "long ago");
  await store.recordTurn({
    bot: other,
    conversationId: "cv_other" as ConversationId,
    turn: turnOf("rq_3", "long ago"),
  });
  const later = { ...turnOf("rq_4", "still here"), at: AT + 1 };
  const bot = (await store.bots.find("shop"))!.key;
  await store.recordTurn({ bot, conversationId: "cv_alive" as ConversationId, turn: later });
  const db = new Sqlite(join(dataDir, "parley.db"));
  const step = () => runNow(db, deleteIdleConversations(AT + 1, 1));
  const steps = [step(), step(), step()];
  db.close();
  expect(steps).toEqual([1, 1, 0]);
  expect(await store.conversations.listTurns("cv_alive")).toHaveLength(2);
  await store[Symbol.asyncDispose]();
});
