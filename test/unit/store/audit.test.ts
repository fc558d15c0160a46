import { afterEach, beforeEach, expect, test } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import type { ActionState, CallReceipt } from "../../../src/domain/action.ts";
import type { Turn } from "../../../src/domain/conversation.ts";
import type { ConversationId, HandoffId, IntentName, RequestId } from "../../../src/domain/ids.ts";
import { shopBot } from "../../support/bots.ts";
import { openTestStore, type TestStore } from "../../support/store-under-test.ts";
import { turnWith } from "../../support/turns.ts";

let folder: string;
let opened: TestStore;
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), "parley-test-"));
  opened = await openTestStore(folder, () => 1000);
  await opened.store.bots.seed([shopBot()], { prune: false, dryRun: false });
});
afterEach(async () => {
  await opened.store[Symbol.asyncDispose]();
  await opened.drop();
  rmSync(folder, { recursive: true });
});

const shop = async () => (await opened.store.bots.find("shop"))!.key;

async function say(conversation: string, at: number, fields: Partial<Turn>): Promise<RequestId> {
  const requestId = `rq_${conversation}_${at}` as RequestId;
  await opened.store.recordTurn({
    bot: await shop(),
    conversationId: conversation as ConversationId,
    turn: turnWith({ requestId, at, intent: "orders.status" as IntentName, ...fields }),
  });
  return requestId;
}

const { receipt: PLAIN } = turnWith({ requestId: "rq_plain" as RequestId, at: 0 });

const NOT_UNDERSTOOD = {
  capabilityAllowed: false,
  enforcementReason: "no_intent_match",
  schemaEnforced: false,
  schemaFallbackUsed: false,
} as const;

test("lists answers with what was said around them, the latest first", async () => {
  await say("a", 1, { input: "where is my order" });
  const second = await say("a", 2, { input: "and the other" });
  await say("a", 3, { input: "no", intent: "social.repair" as IntentName });
  await say("b", 4, { input: "" });
  await say("c", 5, { input: "qwertz", metadata: NOT_UNDERSTOOD });
  await opened.store.feedback.save({ requestId: second, rating: "down", reason: "no", at: 9 });
  const turns = await opened.store.audit.listAnswered({ bot: await shop(), since: 0 }, 9);
  expect(turns.map(({ input, before, next, rating }) => [input, before, next, rating])).toEqual([
    ["no", "and the other", null, null],
    [
      "and the other",
      "where is my order",
      { at: 3, input: "no", intent: "social.repair" as IntentName },
      "down",
    ],
    [
      "where is my order",
      null,
      { at: 2, input: "and the other", intent: "orders.status" as IntentName },
      null,
    ],
  ]);
  expect(turns[1]).toMatchObject({ why: "no", receipt: { rule: "best-intent" }, askedForPerson: false });
  const rated = await opened.store.audit.listAnswered({ bot: await shop(), since: 0, rating: "down" }, 9);
  expect(rated.map(({ input }) => input)).toEqual(["and the other"]);
});

test("tells after which answer a person was asked for", async () => {
  await say("a", 1, { input: "where is my order" });
  await say("a", 2, { input: "really" });
  await opened.store.handoffs.open({
    id: "ho_1" as HandoffId,
    bot: await shop(),
    conversationId: "a" as ConversationId,
    fields: {},
    sharesTranscript: false,
    at: 3,
    deliveries: [],
  });
  const turns = await opened.store.audit.listAnswered({ bot: await shop(), since: 0 }, 9);
  expect(turns.map(({ input, askedForPerson }) => [input, askedForPerson])).toEqual([
    ["really", true],
    ["where is my order", false],
  ]);
});

test("tells what documents did not know from what they may know, and how messages lean on others", async () => {
  const asked = (confidence: number) => ({ knowledge: { confidence, passages: [] } });
  const plain = turnWith({ requestId: "rq_0" as RequestId, at: 0 }).receipt;
  const leaning = { reading: "in-context" as const, leans: 0.75, scores: [], inScope: 0, denied: 0 };
  await say("a", 1, { input: "sing", metadata: NOT_UNDERSTOOD, receipt: { ...plain, ...asked(0.1) } });
  await say("a", 2, {
    input: "in august",
    metadata: NOT_UNDERSTOOD,
    receipt: { ...plain, readings: [leaning], ...asked(0.4) },
  });
  await say("a", 3, { input: "nobody asked", metadata: NOT_UNDERSTOOD });
  const scope = { bot: await shop(), since: 0 };
  const [unknown, ...others] = await opened.store.audit.listUnanswered("unknown", scope, 9);
  expect(others).toEqual([]);
  expect(unknown).toMatchObject({ input: "sing", before: null, leans: null });
  const withheld = await opened.store.audit.listUnanswered("withheld", scope, 9);
  expect(withheld).toMatchObject([{ input: "in august", before: "sing", leans: 0.75 }]);
  expect(await opened.store.audit.countUnanswered("withheld", scope)).toBe(1);
});

test("counts calls of actions by what they came to, most frequent first", async () => {
  const acted = (at: number, call: Partial<CallReceipt>, state: ActionState = "done") =>
    say("a", at, {
      receipt: {
        ...PLAIN,
        action: {
          intent: "orders.status" as IntentName,
          state,
          call: { id: `act_${at}`, endpoint: "orders", method: "GET", milliseconds: at, ...call },
        },
      },
    });
  await acted(1, { status: 200, answer: 1 });
  await acted(2, { status: 200, answer: 0 });
  await acted(3, { status: 404, proofFailed: true }, "failed");
  await acted(4, { fault: "timeout" }, "failed");
  await acted(5, { isDry: true }, "failed");
  await say("a", 6, {
    receipt: {
      ...PLAIN,
      action: { intent: "orders.status" as IntentName, state: "asking", slot: "orderNumber" },
    },
  });
  const common = { intent: "orders.status" as IntentName, endpoint: "orders", method: "GET" } as const;
  const counts = await opened.store.audit.countCalls({ bot: await shop(), since: 0 });
  const plain = { ...common, proofFailed: false, isDry: false };
  expect(counts[0]).toEqual({ ...plain, state: "done", status: 200, turns: 2 });
  expect(counts).toHaveLength(4);
  for (const rare of [{ status: 404, proofFailed: true }, { fault: "timeout" as const }, { isDry: true }]) {
    expect(counts).toContainEqual({ ...plain, state: "failed", ...rare, turns: 1 });
  }
  expect(await opened.store.audit.countCalls({ bot: await shop(), since: 5 })).toHaveLength(1);
});
