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

describe("the wish for a person, where the bot offers one who is asked for", () => {
  const HUMAN = {
    name: "team.person",
    handoff: true,
    examples: ["ring the bell for the crew", "is the crew around"],
    responses: ["Our team answers at once."],
  };
  const withOwn = (own: object, fields: WrittenFields = {}): WrittenFields => ({
    handoff: {},
    intents: [...(shopBot().intents as never[]), own as never],
    ...fields,
  });
  const OFFERED = { capabilityAllowed: true, handoff: { state: "offered" } };

  test.each([
    "Can I talk to a human",
    "can i talk to a humna pls",
    "agent please",
    "connect me with support",
    "I need a person not a bot",
    "Kann ich mit einem Menschen sprechen?",
    "quiero hablar con una persona",
    "je veux parler à un humain",
    "vorrei parlare con un operatore",
    "ik wil een medewerker spreken",
    "quero falar com um atendente",
    "Chcę porozmawiać z konsultantem",
    "müşteri temsilcisine bağla lütfen",
    "أريد التحدث مع موظف",
    "担当者と話したいです。",
    "转人工",
  ])("is understood and met by an offer: %s", async (input) => {
    await using parley = await start({ handoff: {} });
    const { response, intentDetected, metadata } = await parley.say(input);
    expect(intentDetected).toBe("social.person");
    expect(metadata).toMatchObject({ ...OFFERED, schemaEnforced: false });
    expect(response).toBe("Of course. You can ask for a person below; your request goes to our team.");
  });

  test("is answered in the bot's words, and its receipt says so", async () => {
    await using parley = await start({ handoff: { offer: ["asked"] }, texts: { "social.person": "Sure." } });
    const { conversationId, response } = await parley.say("human please");
    expect(response).toBe("Sure.");
    const [turn] = await parley.store.conversations.listTurns(conversationId);
    expect(turn).toMatchObject({
      intent: "social.person",
      receipt: { rule: "social", offersPerson: true },
    });
  });

  test.each<[string, WrittenFields]>([
    ["the bot has no `handoff`", {}],
    ["`offer` leaves `asked` out", { handoff: { offer: ["refused", "cap"] } }],
    ["social turns are off", { handoff: { offer: ["asked"] }, social: false }],
  ])("is a message as any other where %s", async (_, fields) => {
    await using parley = await start(fields);
    const { intentDetected, metadata } = await parley.say("can I talk to a human");
    expect(intentDetected).toBeUndefined();
    expect(metadata).not.toHaveProperty("handoff");
  });

  test.each(["no, I want a human", "yes, let me talk to a person"])(
    "is no answer to what the bot asked: %s",
    async (input) => {
      await using parley = await start({ handoff: {} });
      const { conversationId } = await parley.say("thanks");
      expect((await parley.say(input, { conversationId })).intentDetected).toBe("social.person");
    },
  );

  test.each([
    ["deny", { deny: ["social.*"] }, "DENY_LIST"],
    ["allow", { allow: [] }, "NOT_IN_ALLOW_LIST"],
  ])("is refused by the profile's %s list", async (_, capabilityProfile, enforcementReason) => {
    await using parley = await start({ handoff: { offer: ["asked"] }, capabilityProfile });
    const { metadata } = await parley.say("can I talk to a human");
    expect(metadata).toMatchObject({ capabilityAllowed: false, enforcementReason });
    expect(metadata).not.toHaveProperty("handoff");
  });

  test("goes to an allowed intent of the bot's own with `handoff: true`", async () => {
    await using parley = await start(withOwn(HUMAN, { capabilityProfile: { allow: ["team.*"] } }));
    expect(await parley.say("can I talk to a human")).toMatchObject({
      intentDetected: "team.person",
      response: "Our team answers at once.",
      metadata: OFFERED,
    });
  });

  test.each([
    ["denied", { deny: ["team.person"] }],
    ["not in the allow list", { allow: ["orders.*"] }],
  ])("is not lost where that intent is %s", async (_, capabilityProfile) => {
    await using parley = await start(withOwn(HUMAN, { capabilityProfile }));
    const { intentDetected, metadata } = await parley.say("can I talk to a human");
    expect(intentDetected).toBe("social.person");
    expect(metadata).toMatchObject(OFFERED);
  });

  test.each([
    ["denied", { deny: ["team.person"] }, "DENY_LIST"],
    ["not in the allow list", { allow: ["orders.*"] }, "NOT_IN_ALLOW_LIST"],
  ])("is refused where an intent for just that is %s", async (_, capabilityProfile, enforcementReason) => {
    const own = { ...HUMAN, examples: ["talk to a person", ...HUMAN.examples] };
    await using parley = await start(withOwn(own, { capabilityProfile, handoff: { offer: ["asked"] } }));
    const { metadata } = await parley.say("I want to speak to a human");
    expect(metadata).toMatchObject({ capabilityAllowed: false, enforcementReason });
    expect(metadata).not.toHaveProperty("handoff");
  });

  test("beside a request, the request is answered and the person offered", async () => {
    await using parley = await start({ handoff: {} });
    for (const input of [
      "where is my order? let me talk to a human",
      "can I talk to a human about where my order is",
    ]) {
      const { intentDetected, metadata } = await parley.say(input);
      expect(intentDetected).toBe("orders.status");
      expect(metadata).toMatchObject(OFFERED);
    }
  });

  test("beside what nothing matches, it is what is answered", async () => {
    await using parley = await start({ handoff: {} });
    const { intentDetected, metadata } = await parley.say("where do penguins sleep, let me talk to a human");
    expect(intentDetected).toBe("social.person");
    expect(metadata).toMatchObject(OFFERED);
  });

  test("beside something denied, the denial counts", async () => {
    await using parley = await start({ handoff: { offer: ["asked"] } });
    const { metadata } = await parley.say("delete my account, and let me talk to a human");
    expect(metadata).toMatchObject({ capabilityAllowed: false, enforcementReason: "DENY_LIST" });
    expect(metadata).not.toHaveProperty("handoff");
  });

  test("a person is not offered to who speaks of people", async () => {
    await using parley = await start({ handoff: { offer: ["asked"] } });
    for (const input of ["where is my order, are you a human?", "who do I talk to about refunds"]) {
      expect((await parley.say(input)).metadata).not.toHaveProperty("handoff");
    }
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
