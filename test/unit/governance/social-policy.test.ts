import { expect, test } from "bun:test";

import { checkUnheardWishes } from "../../../src/governance/social-policy.ts";
import { botWith, type WrittenFields } from "../../support/bots.ts";

const problemsOf = (fields: WrittenFields) => checkUnheardWishes(botWith(fields));
const asked: WrittenFields = { handoff: { offer: ["asked"] } };
const orders = { name: "orders.status", examples: ["where is my order", "track it"] };

test.each<[string, WrittenFields]>([
  ["social turns are off", { ...asked, social: false }],
  ["an output schema turns them off", { ...asked, outputSchema: {}, fallbackResponse: "{}" }],
])("seed warns of a person who is offered and whom nobody can ask for: %s", (_, fields) => {
  const message =
    "social turns are off in this bot, so that nobody who asks for a person is understood; give an intent `handoff: true`, or say `social: true`";
  expect(problemsOf({ ...fields, intents: [orders] })).toEqual([
    { pointer: "/handoff/offer", message, severity: "warning" },
  ]);
  expect(problemsOf({ ...fields, intents: [{ ...orders, handoff: true }] })).toEqual([]);
  expect(problemsOf({ ...fields, social: true, intents: [orders] })).toEqual([]);
  expect(problemsOf({ ...fields, handoff: { offer: ["refused"] }, intents: [orders] })).toEqual([]);
});
