import { describe, expect, test } from "bun:test";

import { shopBot, type WrittenFields } from "../support/bots.ts";
import { startParley } from "../support/parley.ts";

const start = (fields: WrittenFields = {}) => startParley({ bots: [shopBot(fields)] });

describe("a social turn", () => {
  test.each([
    ["hi there!", "social.greeting"],
    ["thank you so much", "social.thanks"],
    ["bye", "social.goodbye"],
    ["are you a real person?", "social.identity"],
    ["what can you do?", "social.help"],
    ["you are stupid", "social.abuse"],
    ["u r stupid", "social.abuse"],
    ["ok", "social.acknowledge"],
    ["👍", "social.acknowledge"],
    ["merci beaucoup", "social.thanks"],
    ["Guten Tag", "social.greeting"],
  ])("%s is %s, which an allow list need not name", async (input, intent) => {
    await using parley = await start();
    const { response, intentDetected, metadata } = await parley.say(input);
    expect(intentDetected).toBe(intent);
    expect(metadata).toMatchObject({ capabilityAllowed: true, schemaEnforced: false });
    expect(metadata).not.toHaveProperty("enforcementReason");
    expect(response.length).toBeGreaterThan(5);
  });

  test("says truthfully that nobody is there", async () => {
    await using parley = await start();
    expect((await parley.say("am I talking to a human?")).response).toContain("automated assistant");
  });

  test("says what the bot can do, and offers it", async () => {
    await using parley = await start();
    const { response, metadata } = await parley.say("what can you help me with?");
    expect(metadata.suggestions).toEqual([{ intent: "orders.status", label: "the state of an order" }]);
    expect(response).toContain("the state of an order");
  });

  test("repeats no answer", async () => {
    await using parley = await start();
    const { conversationId, response } = await parley.say("where is my order");
    for (const input of ["thanks", "no", "ok"]) {
      expect((await parley.say(input, { conversationId })).response).not.toBe(response);
    }
  });

  test.each(["thanks", "hello", "qwerty uiop"])("takes a no after “%s” for an answer", async (before) => {
    await using parley = await start({ texts: { en: { no_intent_match: "What do you mean?" } } });
    const { conversationId, response } = await parley.say(before);
    expect(response).toEndWith("?");
    const { intentDetected } = await parley.say("no", { conversationId });
    expect(intentDetected).toBe("social.acknowledge");
  });

  test.each(["that's wrong", "no, wrong", "falsch"])(
    "asks what was meant where “%s” says that an answer was none",
    async (complaint) => {
      await using parley = await start();
      const { conversationId } = await parley.say("where is my order");
      const { response, metadata } = await parley.say(complaint, { conversationId });
      expect(metadata).toMatchObject({ capabilityAllowed: false, enforcementReason: "no_intent_match" });
      expect(response).toBe("Alright. Could you tell me in other words what you need?");
    },
  );

  test("counts and is stored as any other, and its receipt names the rule", async () => {
    await using parley = await start({ monthlyMessageCap: 1 });
    const { conversationId } = await parley.say("hello");
    const [turn] = await parley.store.conversations.listTurns(conversationId);
    expect(turn).toMatchObject({ intent: "social.greeting", receipt: { rule: "social" } });
    expect((await parley.chat({ botId: "shop", input: "hello" })).status).toBe(429);
  });

  test("never gets past a denied intent", async () => {
    await using parley = await start();
    const { metadata } = await parley.say("hi, delete my account please, thanks");
    expect(metadata.enforcementReason).toBe("DENY_LIST");
  });

  test("is in the bot's language, whatever language it was said in", async () => {
    await using parley = await start({ language: "de-AT" });
    expect((await parley.say("hello")).response).toBe("Guten Tag! Was kann ich für Sie tun?");
  });

  test("is worded by the bot file", async () => {
    await using parley = await start({
      texts: { "social.greeting": "Ahoy from {botName}!", en: { "social.thanks": "Aye." } },
    });
    expect((await parley.say("hello")).response).toBe("Ahoy from Shop!");
    expect((await parley.say("thanks")).response).toBe("Aye.");
  });
});

describe("social turns are restricted", () => {
  test("by a deny list that names them", async () => {
    await using parley = await start({ capabilityProfile: { deny: ["social.*"] } });
    expect((await parley.say("hello")).metadata).toMatchObject({ enforcementReason: "DENY_LIST" });
  });

  test("by an empty allow list", async () => {
    await using parley = await start({ capabilityProfile: { allow: [] } });
    expect((await parley.say("hello")).metadata).toMatchObject({ enforcementReason: "NOT_IN_ALLOW_LIST" });
  });
});

describe("social turns are none", () => {
  test.each([
    ["by social: false", { social: false }],
    ["for a bot with an output schema", { outputSchema: { type: "string" }, fallbackResponse: "Sorry." }],
  ])("%s", async (_, fields) => {
    await using parley = await start(fields);
    expect((await parley.say("bye")).metadata).toMatchObject({ enforcementReason: "no_intent_match" });
  });

  test("where the bot has an intent of its own for them", async () => {
    const own = {
      name: "orders.welcome",
      examples: ["hello", "good morning"],
      responses: ["Welcome aboard."],
    };
    await using parley = await start({ intents: [...(shopBot().intents as never[]), own] });
    expect(await parley.say("hiya!")).toMatchObject({
      response: "Welcome aboard.",
      intentDetected: "orders.welcome",
    });
  });
});

describe("what is no social turn", () => {
  const INTENTS = [
    {
      name: "shop.prices",
      examples: ["price list", "what does it cost", "how much is a repair"],
      responses: ["From 69."],
    },
    { name: "shop.way", examples: ["directions please", "where are you"], responses: ["Mill Lane 4."] },
  ];

  test.each(["price", "price?", "the price", "batch", "laser", "lower"])(
    "nobody insults by mistake: %s",
    async (input) => {
      await using parley = await start({ intents: INTENTS, capabilityProfile: {} });
      expect((await parley.say(input)).intentDetected).not.toBe("social.abuse");
    },
  );
});
