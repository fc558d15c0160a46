import { describe, expect, test } from "bun:test";

import type { Suggestion } from "../../src/domain/chat.ts";
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

describe("who says that an answer was wrong", () => {
  const delivery = {
    name: "orders.delivery",
    label: "delivery times",
    examples: ["how long does delivery take", "when is an order delivered", "delivery time"],
    responses: ["Two days."],
  };
  const shipping = (fields: WrittenFields = {}) =>
    start({ intents: [...(shopBot().intents as never[]), delivery], ...fields });

  test.each([
    "that's wrong",
    "no, wrong",
    "falsch",
    "not what I asked",
    "you already said that",
    "say it again",
    "why not",
    "I want to complain",
    "我问的不是这个",
  ])("gets an apology and what may be meant instead, not the same again: %s", async (complaint) => {
    await using parley = await shipping();
    const { conversationId, response, intentDetected } = await parley.say("when is my order delivered");
    const other = intentDetected === "orders.delivery" ? "the state of an order" : "delivery times";
    const repaired = await parley.say(complaint, { conversationId });
    expect(repaired).toMatchObject({
      intentDetected: "social.repair",
      metadata: { capabilityAllowed: true },
    });
    expect(repaired.metadata.suggestions).toMatchObject([{ label: other }]);
    expect(repaired.response).not.toContain(response);
    expect(repaired.response).toEndWith(`I'm sorry, that was not what you needed. Did you mean: ${other}?`);
  });

  test("chooses what is offered then", async () => {
    await using parley = await shipping();
    const { conversationId } = await parley.say("when is my order delivered");
    const { metadata } = await parley.say("that's not what I asked", { conversationId });
    const [offered] = metadata.suggestions as readonly Suggestion[];
    const { intentDetected } = await parley.say("yes", { conversationId });
    expect(intentDetected).toBe(offered!.intent);
  });

  test("is not offered again what was offered, and reads one apology", async () => {
    await using parley = await shipping();
    const { conversationId } = await parley.say("when is my order delivered");
    const first = await parley.say("that's wrong", { conversationId });
    const second = await parley.say("that's wrong", { conversationId });
    const third = await parley.say("that's wrong", { conversationId });
    expect(second.response).toBe("Could you say it in other words?");
    expect(second.metadata).not.toHaveProperty("suggestions");
    expect(new Set([first, second, third].map(({ response }) => response)).size).toBe(3);
  });

  test.each([["asked" as const], ["not_understood_twice" as const]])(
    "is offered a person where the bot offers one: %s",
    async (offer) => {
      await using parley = await shipping({ handoff: { offer: [offer] } });
      const { response, metadata } = await parley.say("that's wrong");
      expect(metadata.handoff).toEqual({ state: "offered" });
      expect(response).toBe(
        "I'm sorry, that was not what you needed. Could you say it in other words? You can also ask for a person below.",
      );
    },
  );

  test("is offered nobody by a bot that offers one to the refused alone", async () => {
    await using parley = await shipping({ handoff: { offer: ["refused"] } });
    expect((await parley.say("that's wrong")).metadata).not.toHaveProperty("handoff");
  });

  test("is offered nothing that is denied", async () => {
    await using parley = await shipping({ capabilityProfile: { allow: ["orders.status"] } });
    const { conversationId } = await parley.say("where is my order");
    expect((await parley.say("that's wrong", { conversationId })).metadata).not.toHaveProperty("suggestions");
  });

  test("is answered by an intent that surely is about that", async () => {
    const complaints = {
      name: "complaints",
      examples: ["I want to complain", "I want to file a complaint", "I have a complaint about an order"],
      responses: ["Write to us."],
    };
    await using parley = await shipping({
      intents: [...(shopBot().intents as never[]), complaints],
      capabilityProfile: {},
    });
    expect((await parley.say("i would like to file a complaint")).intentDetected).toBe("complaints");
    expect((await parley.say("that's not true")).intentDetected).toBe("social.repair");
  });

  test("is answered in the bot's words", async () => {
    await using parley = await shipping({ language: "de", texts: { "social.repair": "Oh je." } });
    expect((await parley.say("das stimmt nicht")).response).toBe(
      "Oh je. Können Sie es mit anderen Worten sagen?",
    );
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

  test("where a message is an example, word for word, and only there", async () => {
    const testRide = {
      name: "probefahrt",
      examples: ["rad testen", "ich möchte ein rad probefahren", "probefahrt vereinbaren"],
      responses: ["Gern, kommen Sie vorbei."],
    };
    await using parley = await start({
      language: "de",
      intents: [...(shopBot().intents as never[]), testRide],
      capabilityProfile: {},
    });
    expect((await parley.say("Rad testen!")).intentDetected).toBe("probefahrt");
    for (const greeting of ["moin", "hallo", "hi there!"]) {
      expect((await parley.say(greeting)).intentDetected).toBe("social.greeting");
    }
  });

  test("where an intent is named after them", async () => {
    const own = { name: "social.greeting", examples: ["hello"], responses: ["Welcome aboard."] };
    await using parley = await start({ intents: [own], capabilityProfile: {} });
    expect((await parley.say("hiya!")).response).toBe("Welcome aboard.");
  });

  test("where an example of a denied intent is one: all of its kind are denied", async () => {
    const own = { name: "small.talk", examples: ["hello", "good morning"], responses: ["Hm."] };
    await using parley = await start({
      intents: [...(shopBot().intents as never[]), own],
      capabilityProfile: { deny: ["small.*"] },
    });
    expect((await parley.say("hiya!")).metadata).toMatchObject({ enforcementReason: "DENY_LIST" });
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
    expect(response).toEndWith("Of course. You can ask for a person below; your request goes to our team.");
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
