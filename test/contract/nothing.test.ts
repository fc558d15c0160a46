import { expect, test } from "bun:test";

import { TEXT_LANGUAGES } from "../../src/domain/texts.ts";
import { recogniseSocialTurn } from "../../src/social/social-turn.ts";
import { WORDINGS } from "../../src/texts/wordings.ts";
import { shopBot, type WrittenFields } from "../support/bots.ts";
import { startParley } from "../support/parley.ts";

const INTENTS = [
  {
    name: "orders.status",
    label: "your order",
    examples: ["where is my order", "track my parcel", "has my package shipped"],
    responses: ["On its way."],
  },
  {
    name: "invoices",
    label: "invoices",
    examples: ["send me an invoice", "my invoice is wrong", "question about billing"],
    responses: ["Never said."],
  },
  {
    name: "returns",
    label: "sending umbrellas back",
    examples: ["how do I return this", "send it back", "return an item"],
    responses: ["Within 30 days."],
  },
];

const start = (fields: WrittenFields = {}) =>
  startParley({
    bots: [shopBot({ intents: INTENTS, capabilityProfile: { deny: ["invoices"] }, handoff: {}, ...fields })],
  });

const RETURNS = { label: "sending umbrellas back", input: "how do I return this" };
const ORDERS = { label: "your order", input: "where is my order" };
const PERSON = { label: "Talk to a person", input: "Talk to a person" };
const TEXT =
  "I'm sorry, I have nothing on that. Could you say it in other words?\n\nI can help you with this:\n- your order\n- sending umbrellas back\n- Talk to a person";

test("who asks for what the bot has nothing on hears what it can do, and how to come to a person", async () => {
  await using parley = await start();
  const { response, metadata } = await parley.say("quantum chromodynamics");
  expect(response).toBe(TEXT);
  expect(metadata).toMatchObject({ enforcementReason: "no_intent_match", next: [ORDERS, RETURNS, PERSON] });
  expect(metadata).not.toHaveProperty("suggestions");
  expect(metadata).not.toHaveProperty("handoff");
});

test("what is called by a word of the message goes first", async () => {
  await using parley = await start();
  const { metadata } = await parley.say(
    "quantum chromodynamics explains the umbrella paradox of quarks and gluons",
  );
  expect(metadata).toMatchObject({ next: [RETURNS, ORDERS, PERSON] });
});

test("each of it sends what its intent, or a person, is had by", async () => {
  await using parley = await start();
  const { conversationId } = await parley.say("quantum chromodynamics");
  const intentOf = async (input: string) => (await parley.say(input, { conversationId })).intentDetected;
  expect(await intentOf(RETURNS.input)).toBe("returns");
  expect(await intentOf(PERSON.input)).toBe("social.person");
});

test("twice in a row it is said in other words, without the list, and a person is offered", async () => {
  await using parley = await start();
  const { conversationId } = await parley.say("quantum chromodynamics");
  const again = await parley.say("chromodynamics of quanta", { conversationId });
  expect(again.response).toBe("I'm afraid I have nothing more on that. You can also ask for a person below.");
  expect(again.metadata).toMatchObject({ handoff: { state: "offered" }, next: [ORDERS, RETURNS] });
});

test("the owner's own wording stands alone; what the bot can do is beside it", async () => {
  await using parley = await start({ texts: { no_intent_match: "Pardon?", nothingMore: "Still nothing." } });
  const { response, metadata, conversationId } = await parley.say("quantum chromodynamics");
  expect(response).toBe("Pardon?");
  expect(metadata).toMatchObject({ next: [ORDERS, RETURNS, PERSON] });
  const again = await parley.say("chromodynamics of quanta", { conversationId });
  expect(again.response).toBe("Still nothing.");
});

test("a bot's own intent for that is the way to a person", async () => {
  const own = {
    name: "human",
    label: "our team",
    examples: ["I need the team"],
    responses: ["Soon."],
    handoff: true,
  };
  await using parley = await start({ intents: [...INTENTS, own] });
  const { metadata } = await parley.say("quantum chromodynamics");
  expect(metadata).toMatchObject({
    next: [ORDERS, RETURNS, { label: "our team", input: "I need the team" }],
  });
});

test.each([
  ["without people", { handoff: undefined }],
  ["whose people are not to be asked for", { handoff: { offer: ["refused" as const] } }],
  ["without social turns", { social: false }],
  ["that denies the wish", { capabilityProfile: { deny: ["invoices", "social.*"] } }],
])("a bot %s names none", async (_, fields) => {
  await using parley = await start(fields as WrittenFields);
  const { metadata } = await parley.say("quantum chromodynamics");
  expect(metadata).toMatchObject({ next: [ORDERS, RETURNS] });
});

test.each(TEXT_LANGUAGES.map((language) => [language]))(
  "what the button sends is understood as the wish for a person in %s",
  (language) => {
    const turn = recogniseSocialTurn(WORDINGS[language].askPerson, { language, offersPerson: true });
    expect(turn).toEqual({ kind: "person", language });
  },
);
