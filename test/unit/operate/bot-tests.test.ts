import { expect, test } from "bun:test";

import { runBotTests } from "../../../src/operate/bot-tests.ts";
import type { RehearsedTurn } from "../../../src/operate/rehearsal.ts";
import { botWith } from "../../support/bots.ts";

/** What comes of a test that expects `wanted` where the bot says `response`. */
async function failuresOf(wanted: string, response: string, schemaEnforced: boolean) {
  const metadata = { capabilityAllowed: true, schemaEnforced, schemaFallbackUsed: false };
  const answer = { conversationId: "cv_1", response, metadata };
  const turn = { answer, receipt: { rule: "best-intent" } } as unknown as RehearsedTurn;
  const rehearsal = { startOver: () => {}, say: () => Promise.resolve(turn) };
  return (await runBotTests(botWith({ tests: [{ utterance: "hours", response: wanted }] }), rehearsal))
    .failures.length;
}

test("a test of an answer that a schema checks goes by its JSON, however that is spelt; any other by its text", async () => {
  const written = '{ "open": "9-5", "days": [1, 2] }';
  const sent = '{"open":"9-5","days":[1,2]}';
  expect(await failuresOf(written, sent, true)).toBe(0);
  expect(await failuresOf(written, sent, false)).toBe(1);
  expect(await failuresOf(written, '{"open":"9-6","days":[1,2]}', true)).toBe(1);
  expect(await failuresOf("We are open.", sent, true)).toBe(1);
});
