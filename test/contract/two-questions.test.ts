import { describe, expect, test } from "bun:test";

import { shopBot, type WrittenFields } from "../support/bots.ts";
import { startParley } from "../support/parley.ts";

const INTENTS = [
  {
    name: "shop.hours",
    label: "opening hours",
    examples: ["when are you open", "what are your opening hours", "until when are you open today"],
    responses: ["We are open from 9 to 5."],
  },
  {
    name: "shop.parking",
    label: "parking",
    examples: ["where can I park", "is there a car park", "do you have parking"],
    responses: ["Park behind the house."],
  },
  {
    name: "account.delete",
    examples: ["delete my account", "erase all of my data", "remove my profile for good"],
  },
];

const start = (fields: WrittenFields = {}) =>
  startParley({
    bots: [shopBot({ intents: INTENTS, capabilityProfile: { deny: ["account.*"] }, ...fields })],
  });

describe("two questions at once", () => {
  test.each([
    "When are you open and where can I park?",
    "when are you open? where can I park?",
    "when are you open\nalso is there a car park",
  ])("are both answered, in order: %s", async (input) => {
    await using parley = await start();
    const { response, intentDetected, conversationId } = await parley.say(input);
    expect(intentDetected).toBe("shop.hours");
    expect(response).toBe("We are open from 9 to 5.\n\nPark behind the house.");
    const [turn] = await parley.store.conversations.listTurns(conversationId);
    expect(turn?.receipt).toMatchObject({ rule: "two-questions", alsoIntents: ["shop.parking"] });
  });

  test("are denied where one of them is", async () => {
    await using parley = await start();
    const { metadata } = await parley.say("when are you open and delete my account");
    expect(metadata.enforcementReason).toBe("DENY_LIST");
  });

  test("are answered singly where one has an output schema", async () => {
    const [hours, ...others] = INTENTS;
    const strict = { ...hours!, outputSchema: { type: "string" }, fallbackResponse: "Sorry." };
    await using parley = await start({ intents: [strict, ...others] });
    const { response } = await parley.say("When are you open and where can I park?");
    expect(response).not.toContain("\n\n");
  });
});

describe("a question that is known, and one that is not", () => {
  test.each([
    ["when are you open? and who won the world cup in 1998?", "who won the world cup in 1998?"],
    ["where can I park and do you sell penguins?", "do you sell penguins?"],
  ])("%s: the first is answered, the other named in the visitor's words", async (input, rest) => {
    await using parley = await start();
    const { response, metadata } = await parley.say(input);
    expect(metadata["capabilityAllowed"]).toBe(true);
    expect(response.split("\n\n")).toHaveLength(2);
    expect(response).toContain(rest);
  });

  test.each(["My wife told me about your place. when are you open?", "where can I park and is it free?"])(
    "%s: what tells something, or leans on the question, is not named",
    async (input) => {
      await using parley = await start();
      expect((await parley.say(input)).response).not.toContain("\n\n");
    },
  );
});
