import { describe, expect, test } from "bun:test";

import { kioskBot, shopBot } from "../support/bots.ts";
import { eventually } from "../support/eventually.ts";
import { startParley } from "../support/parley.ts";

const DAY_MS = 24 * 60 * 60 * 1000;

describe("a conversation", () => {
  test("keeps every turn with message, answer, metadata and a receipt without text", async () => {
    await using parley = await startParley({ bots: [shopBot(), kioskBot("no json")] });
    const first = await parley.say("where is my order");
    await parley.say("delete my account", { conversationId: first.conversationId });
    const [answered, denied] = await parley.store.conversations.listTurns(first.conversationId);
    expect(answered).toMatchObject({
      input: "where is my order",
      response: first.response,
      intent: "orders.status",
      botId: "shop",
      botVersion: 1,
      state: "complete",
      receipt: { rule: "best-intent", botVersion: 1, thresholds: expect.any(Object) },
    });
    expect(denied).toMatchObject({ metadata: { enforcementReason: "DENY_LIST" } });
    expect(JSON.stringify(denied?.receipt)).not.toContain("delete my account");
    expect(Object.keys(answered!.receipt.stagesMs)).toEqual(["load", "classify", "decide", "respond"]);
  });

  test("goes on with the one intent that was asked about when the visitor says yes", async () => {
    await using parley = await startParley();
    const asked = await parley.say("where is my glove");
    expect(asked.response).toBe("Did you mean: the state of an order?");
    const { conversationId } = asked;
    const declined = await parley.say("no", { conversationId });
    expect(declined.metadata.enforcementReason).toBe("no_intent_match");
    await parley.say("where is my glove", { conversationId });
    const agreed = await parley.say("yes, please", { conversationId });
    expect(agreed).toMatchObject({ intentDetected: "orders.status", metadata: { capabilityAllowed: true } });
    const receipts = (await parley.store.conversations.listTurns(conversationId)).map((turn) => turn.receipt);
    expect(receipts[0]).toMatchObject({
      suggestions: [{ intent: "orders.status", label: "the state of an order" }],
    });
    expect(receipts.at(-1)).toMatchObject({ rule: "follow-up" });
  });

  test("answers messages sent at once one after another", async () => {
    await using parley = await startParley();
    const { conversationId } = await parley.say("where is my order");
    const inputs = Array.from({ length: 12 }, (_, index) => `where is my order${"?".repeat(index)}`);
    await Promise.all(inputs.map((input) => parley.say(input, { conversationId })));
    const turns = await parley.store.conversations.listTurns(conversationId);
    expect(
      turns
        .slice(1)
        .map((turn) => turn.input)
        .toSorted(),
    ).toEqual(inputs.toSorted());
    expect(turns.map((turn) => turn.responseIndex)).toEqual(turns.map((_, index) => index % 2));
  });

  test("expires after the days of --retention-days, and starts anew", async () => {
    const clock = { nowMs: Date.UTC(2026, 0, 10) };
    await using parley = await startParley({
      flags: { retentionDays: "7" },
      parts: { now: () => clock.nowMs },
    });
    const { conversationId } = await parley.say("where is my order");
    clock.nowMs += 7 * DAY_MS;
    expect((await parley.say("where is my order", { conversationId })).conversationId).toBe(conversationId);
    clock.nowMs += 7 * DAY_MS + 1;
    expect((await parley.say("where is my order", { conversationId })).conversationId).not.toBe(
      conversationId,
    );
  });

  test("that was erased is not revived by its id", async () => {
    await using parley = await startParley();
    const { conversationId } = await parley.say("where is my order");
    expect(await parley.store.erasure.erase([{ id: conversationId }], {})).toMatchObject({
      conversations: 1,
    });
    const next = await parley.say("where is my order", { conversationId });
    expect(next.conversationId).not.toBe(conversationId);
    expect(await parley.store.conversations.listTurns(conversationId)).toEqual([]);
  });
});

describe("a change by another process", () => {
  test("to a bot reaches the server, which looks more than once a second", async () => {
    await using parley = await startParley();
    expect((await parley.store.watchGeneration()).everyMs).toBeLessThan(1000);
    const { intents } = shopBot();
    await parley.store.bots.seed([shopBot({ intents: [{ ...intents![0]!, responses: ["Changed."] }] })], {
      prune: false,
      dryRun: false,
    });
    await eventually(async () => (await parley.say("where is my order")).response === "Changed.");
    await parley.store.bots.setEnabled("shop", false);
    await eventually(async () => (await parley.chat({ botId: "shop", input: "hi" })).status === 404);
    await parley.store.bots.setEnabled("shop", true);
    await eventually(async () => (await parley.chat({ botId: "shop", input: "hi" })).status === 200);
  });

  test("that deletes a bot makes its messages 404 at once, also those that were admitted before", async () => {
    await using parley = await startParley();
    await parley.say("where is my order");
    await parley.store.bots.delete("shop");
    const response = await parley.chat({ botId: "shop", input: "where is my order" });
    expect([response.status, (await response.json()).code]).toEqual([404, "NOT_FOUND"]);
  });

  test("to an embed token reaches the server within a second", async () => {
    await using parley = await startParley();
    const token = await parley.issueToken(["shop"]);
    const say = () => parley.chat({ botId: "shop", input: "where is my order" }, { token });
    expect((await say()).status).toBe(200);
    await parley.store.embedTokens.revoke((await parley.store.embedTokens.list()).at(-1)!.id);
    await eventually(async () => (await say()).status === 401);
  });
});
