import { describe, expect, test } from "bun:test";

import { shopBot, type WrittenFields } from "../support/bots.ts";
import { startParley } from "../support/parley.ts";

const start = (fields: WrittenFields = {}) => startParley({ bots: [shopBot(fields)] });

describe("a message that gives data and asks for nothing", () => {
  test.each([
    ["2210987", "I can't look up 2210987 here."],
    ["it is KA-RS 123", "I can't look up KA-RS 123 here."],
    ["ann@example.com", "I can't look that up here."],
    ["born 3.4.1980", "I can't look that up here."],
  ])("is told that nothing looks it up: %s", async (input, said) => {
    await using parley = await start();
    const answer = await parley.say(input);
    expect(answer.response).toBe(said);
    expect(answer).not.toHaveProperty("intentDetected");
    expect(answer.metadata).toMatchObject({ capabilityAllowed: false, enforcementReason: "no_intent_match" });
    expect(answer.metadata).not.toHaveProperty("handoff");
    const [turn] = await parley.store.conversations.listTurns(answer.conversationId);
    expect(turn?.receipt.rule).toBe("data");
  });

  test("can be passed on where the bot offers a person, with the form filled in", async () => {
    await using parley = await start({ handoff: { fields: ["name", "email", "message"] } });
    const first = await parley.say("My name is Ann Lee, order 2210987, ann@example.com");
    expect(first.metadata.handoff).toBeUndefined();
    const { conversationId, response, metadata } = await parley.say("2210987, ann@example.com");
    expect(response).toBe("I can't look up 2210987 here. Shall I pass it on?");
    expect(metadata.handoff).toEqual({
      state: "offered",
      fill: { email: "ann@example.com", message: "2210987, ann@example.com" },
    });
    const { intentDetected } = await parley.say("yes please", { conversationId });
    expect(intentDetected).toBe("social.person");
  });

  test("is not passed on where the visitor says no", async () => {
    await using parley = await start({ handoff: {} });
    const { conversationId } = await parley.say("2210987");
    expect((await parley.say("no", { conversationId })).intentDetected).toBe("social.acknowledge");
  });

  test("is answered alike when it is sent again", async () => {
    await using parley = await start({ handoff: {} });
    const keyed = { headers: { "Idempotency-Key": "data-given-again" } };
    const body = { botId: "shop", input: "2210987, +49 30 901820" };
    const first = await (await parley.chat(body, keyed)).json();
    expect(first).toMatchObject({ metadata: { handoff: { fill: { phone: "+49 30 901820" } } } });
    expect(await (await parley.chat(body, keyed)).json()).toEqual(first);
  });

  test("has no number of a card in the form", async () => {
    await using parley = await start({ handoff: {} });
    const { response, metadata } = await parley.say("my card is 4111 1111 1111 1111");
    expect(response).not.toContain("4111");
    expect(JSON.stringify(metadata)).not.toContain("4111");
  });

  test("is refused, and never repeated, where a deny pattern finds it", async () => {
    await using parley = await start({ capabilityProfile: { denyPatterns: ["e-mail"] }, handoff: {} });
    const { response, metadata } = await parley.say("ann@example.com");
    expect(metadata.enforcementReason).toBe("DENY_LIST");
    expect(response + JSON.stringify(metadata)).not.toContain("ann@");
  });

  test("that says where somebody can be reached is no request for another's number, and a card's is refused all the same", async () => {
    const intents = [
      { name: "hours", examples: ["when are you open", "opening hours"], responses: ["From nine to five."] },
      {
        name: "staff.private",
        examples: ["what is her phone number", "give me the number of the boss", "what is your number"],
        responses: ["No."],
      },
      { name: "cards", examples: ["take my card number", "pay by card number"], responses: ["No."] },
    ];
    await using parley = await start({
      intents,
      capabilityProfile: { deny: ["staff.*", "cards"] },
      handoff: {},
    });
    expect((await parley.say("what is her number")).metadata.enforcementReason).toBe("DENY_LIST");
    const given = await parley.say("my number is 07700 900461");
    expect(given.response).toBe("I can't look that up here. Shall I pass it on?");
    expect(given.metadata.handoff).toMatchObject({ fill: { phone: "07700 900461" } });
    const card = await parley.say("my card number is 4111 1111 1111 1111");
    expect(card.metadata.enforcementReason).toBe("DENY_LIST");
  });

  test("is not repeated in observe mode either, where a deny term finds it", async () => {
    const capabilityProfile = { denyTerms: ["2210987"], mode: "observe" as const };
    await using parley = await start({ capabilityProfile });
    expect((await parley.say("2210987")).response).toBe("I can't look that up here.");
  });

  test("belongs to an intent that has such an example", async () => {
    const own = {
      name: "orders.number",
      examples: ["my order number is 12345", "order 998877", "number 5544332"],
      responses: ["Thank you, we look."],
    };
    await using parley = await start({ intents: [own], capabilityProfile: {} });
    expect((await parley.say("order 2210987")).intentDetected).toBe("orders.number");
  });

  test("is an intent's the first time, where words say so, and not the same again", async () => {
    await using parley = await start();
    const first = await parley.say("where is my order 2210987");
    const again = await parley.say("where is my order 2210987", { conversationId: first.conversationId });
    expect(first.intentDetected).toBe("orders.status");
    expect(again.response).toBe("I can't look up 2210987 here.");
  });
});
