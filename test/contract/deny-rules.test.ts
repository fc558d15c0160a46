import { afterAll, beforeAll, describe, expect, test } from "bun:test";

import { LLMock } from "@copilotkit/aimock";

import { shopBot, type WrittenFields } from "../support/bots.ts";
import { startParley, type TestParley } from "../support/parley.ts";

const CARD = "4111 1111 1111 1111";
const REFUSAL = "That is not for a bot to do.";

const withRules = (fields: WrittenFields = {}) => {
  const shop = shopBot();
  return shopBot({
    capabilityProfile: {
      ...shop.capabilityProfile,
      denyTerms: ["xanax", "price match"],
      denyPatterns: ["card-number"],
    },
    ...fields,
  });
};

let parley: TestParley;
beforeAll(async () => {
  parley = await startParley({ bots: [withRules()] });
});
afterAll(() => parley[Symbol.asyncDispose]());

const receiptOf = async (conversationId: string) =>
  (await parley.store.conversations.listTurns(conversationId)).at(-1)?.receipt;

describe("a message that holds a deny term or deny pattern", () => {
  test.each([
    ["where is my order of xanax", { rule: "deny-term", deniedBy: { term: "xanax" } }],
    ["hello x-a-n-a-x", { rule: "deny-term", deniedBy: { term: "xanax" } }],
    ["do you do price matches", { rule: "deny-term", deniedBy: { term: "price match" } }],
    [`where is my order, card ${CARD}`, { rule: "deny-pattern", deniedBy: { pattern: "card-number" } }],
  ])("gets the refusal and no intent, and the receipt names the rule: %s", async (input, receipt) => {
    const answer = await parley.say(input);
    expect(answer.response).toBe(REFUSAL);
    expect(answer).not.toHaveProperty("intentDetected");
    expect(answer.metadata).toMatchObject({ capabilityAllowed: false, enforcementReason: "DENY_LIST" });
    expect(await receiptOf(answer.conversationId)).toMatchObject(receipt);
  });

  test("leaves none of its words in the receipt", async () => {
    const { conversationId } = await parley.say(`track my parcel ${CARD}`);
    const receipt = JSON.stringify(await receiptOf(conversationId));
    expect(receipt).toContain("card-number");
    expect(receipt).not.toMatch(/4111|parcel/);
  });

  test("is denied as a greeting, a follow-up, a yes and a choice", async () => {
    const { conversationId } = await parley.say("where is my order");
    for (const input of ["hi xanax", "and xanax?", "yes xanax", "the first, xanax", "none of these xanax"]) {
      const { metadata } = await parley.say(input, { conversationId });
      expect(metadata).toMatchObject({ enforcementReason: "DENY_LIST" });
    }
  });

  test("is denied as one of two questions", async () => {
    const { metadata } = await parley.say("where is my order? and when does my xanax arrive?");
    expect(metadata).toMatchObject({ enforcementReason: "DENY_LIST" });
  });
});

test("a label that is typed in is denied where it holds a term", async () => {
  const bot = withRules();
  const [orders, ...others] = bot.intents!;
  const intents = [{ ...orders!, label: "xanax orders" }, ...others];
  await using labelled = await startParley({ bots: [{ ...bot, intents }] });
  const asked = await labelled.say("what can you do");
  expect(asked.metadata["suggestions"]).toMatchObject([{ label: "xanax orders" }]);
  const chosen = await labelled.say("xanax orders", { conversationId: asked.conversationId });
  expect(chosen.metadata).toMatchObject({ enforcementReason: "DENY_LIST" });
});

test("a message denied by a rule reaches no model, then or with a later message", async () => {
  const mock = new LLMock({ port: 0 });
  mock.onMessage(/.*/s, { content: "The model says so." });
  await mock.start();
  const models = { local: { baseUrl: `${mock.url}/v1`, model: "tiny" } };
  const bots = [
    withRules({ responder: { kind: "model" }, classifier: { judge: { model: "local", band: 0.5 } } }),
  ];
  await using asking = await startParley({ bots, flags: { models: JSON.stringify(models) } });
  const { conversationId } = await asking.say(`where is my order ${CARD}`);
  expect(mock.getRequests()).toHaveLength(0);
  await asking.say("where is my order", { conversationId });
  expect(mock.getRequests().length).toBeGreaterThan(0);
  expect(JSON.stringify(mock.getRequests())).not.toContain("4111");
  await mock.stop();
});

test("observe mode answers, and records what the rule would have done", async () => {
  const bot = withRules();
  const profile = { ...bot.capabilityProfile, mode: "observe" as const };
  await using observing = await startParley({ bots: [{ ...bot, capabilityProfile: profile }] });
  const { conversationId, metadata } = await observing.say("where is my order of xanax");
  expect(metadata["capabilityAllowed"]).toBe(true);
  const [turn] = await observing.store.conversations.listTurns(conversationId);
  expect(turn?.receipt.wouldRestrict).toMatchObject({ rule: "deny-term", deniedBy: { term: "xanax" } });
});
