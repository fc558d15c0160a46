import { expect, test } from "bun:test";

import { shopBot } from "../support/bots.ts";
import { startParley } from "../support/parley.ts";

const INTENTS = [
  {
    name: "account.login",
    examples: ["how do I login", "I can't login to my account", "login does not work"],
    responses: ["Use the blue button."],
  },
  {
    name: "account.password",
    examples: ["I forgot my password", "reset my password please", "change the password"],
    responses: ["Press reset."],
  },
];

test.each(["lol", "lol lol", "brb"])("%s is no typing error of a word that the bot knows", async (input) => {
  await using parley = await startParley({ bots: [shopBot({ intents: INTENTS, capabilityProfile: {} })] });
  const { intentDetected = "" } = await parley.say(input);
  expect(intentDetected).not.toStartWith("account.");
});

test.each([
  ["i 4got my pw pls", "account.password"],
  ["thx but i cant login 2 my acct", "account.login"],
])("%s is read as it is meant", async (input, intent) => {
  await using parley = await startParley({ bots: [shopBot({ intents: INTENTS, capabilityProfile: {} })] });
  expect((await parley.say(input)).intentDetected).toBe(intent);
});
