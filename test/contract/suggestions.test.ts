import { describe, expect, test } from "bun:test";

import type { Suggestion } from "../../src/domain/chat.ts";
import { shopBot, type WrittenFields } from "../support/bots.ts";
import { startParley, type TestParley } from "../support/parley.ts";

const INTENTS = [
  {
    name: "visit.book",
    label: "booking, or changing, a visit",
    examples: ["book an appointment", "I need an appointment", "appointment next week please"],
    responses: ["Booked."],
  },
  {
    name: "visit.cancel",
    label: "cancelling a visit",
    examples: ["cancel my appointment", "I can't make it to my appointment"],
    responses: ["Cancelled."],
  },
  {
    name: "visit.price",
    label: "prices",
    examples: ["what does it cost", "how much is a cleaning", "prices please"],
    responses: ["It costs 50."],
  },
];

const start = (fields: WrittenFields = {}) =>
  startParley({ bots: [shopBot({ intents: INTENTS, capabilityProfile: {}, ...fields })] });

async function ask(parley: TestParley) {
  const asked = await parley.say("appointment");
  return { asked, reply: (input: string) => parley.say(input, { conversationId: asked.conversationId }) };
}

const firstOf = ({ metadata }: Awaited<ReturnType<TestParley["say"]>>) =>
  (metadata.suggestions as Suggestion[])[0]!.intent;

describe("a question which intent is meant", () => {
  test("offers them as data, commas and all, and as a sentence", async () => {
    await using parley = await start();
    const { asked } = await ask(parley);
    expect(asked.metadata).toMatchObject({ capabilityAllowed: false, enforcementReason: "no_intent_match" });
    expect(asked.metadata.suggestions).toHaveLength(2);
    expect(asked.metadata.suggestions).toContainEqual({
      intent: "visit.book",
      label: "booking, or changing, a visit",
    });
    expect(asked.response).toContain("cancelling a visit");
    expect(asked).not.toHaveProperty("intentDetected");
  });

  test("never offers what the profile restricts", async () => {
    await using parley = await start({ capabilityProfile: { deny: ["visit.cancel"] } });
    const { asked } = await ask(parley);
    expect(JSON.stringify(asked.metadata.suggestions ?? [])).not.toContain("visit.cancel");
  });

  test("is repeated word for word for the same idempotency key", async () => {
    await using parley = await start();
    const body = { botId: "shop", input: "appointment" };
    const headers = { "Idempotency-Key": "same" };
    const first = await (await parley.chat(body, { headers })).json();
    const again = await (await parley.chat(body, { headers })).json();
    expect(again).toEqual(first);
    expect(first).toHaveProperty("metadata.suggestions");
  });
});

describe("a choice", () => {
  test.each([
    ["cancelling a visit", "visit.cancel"],
    ["Cancelling a visit!", "visit.cancel"],
    ["booking, or changing, a visit", "visit.book"],
  ])("by its label: %s", async (input, intent) => {
    await using parley = await start();
    const { reply } = await ask(parley);
    expect(await reply(input)).toMatchObject({
      intentDetected: intent,
      metadata: { capabilityAllowed: true },
    });
  });

  test.each(["the first", "1", "the first one please", "das erste", "la première"])(
    "by its place: %s",
    async (input) => {
      await using parley = await start();
      const { asked, reply } = await ask(parley);
      expect((await reply(input)).intentDetected).toBe(firstOf(asked));
    },
  );

  test("of both answers both", async () => {
    await using parley = await start();
    const { asked, reply } = await ask(parley);
    const { response, intentDetected } = await reply("both");
    expect(intentDetected).toBe(firstOf(asked));
    expect(response).toContain("Booked.");
    expect(response).toContain("Cancelled.");
  });

  test.each(["None of these", "nichts davon", "Rien de tout cela"])(
    "of none is never classified: %s",
    async (input) => {
      await using parley = await start();
      const { reply } = await ask(parley);
      const { metadata } = await reply(input);
      expect(metadata).toMatchObject({ capabilityAllowed: false, enforcementReason: "no_intent_match" });
      expect(metadata).not.toHaveProperty("suggestions");
    },
  );

  test("counts only right after the question", async () => {
    await using parley = await start();
    const { asked, reply } = await ask(parley);
    await reply("how much is a cleaning");
    expect((await reply("1")).intentDetected).not.toBe(firstOf(asked));
  });

  test.each(["yes", "ok", "👍"])("that is none asks again: %s", async (input) => {
    await using parley = await start();
    const { asked, reply } = await ask(parley);
    expect((await reply(input)).metadata.suggestions).toEqual(asked.metadata.suggestions);
  });
});

test("a thumb up is a yes to a question about one intent", async () => {
  await using parley = await startParley();
  const { conversationId, response } = await parley.say("where is my glove");
  expect(response).toStartWith("Did you mean");
  expect((await parley.say("👍", { conversationId })).intentDetected).toBe("orders.status");
});
