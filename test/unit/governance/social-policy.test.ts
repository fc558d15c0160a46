import { expect, test } from "bun:test";

import { checkCourteousExamples, checkUnheardWishes } from "../../../src/governance/social-policy.ts";
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

const tour = { name: "tour", examples: ["book a tour", "hello there"], responses: ["Here."] };

test("seed warns of an example that reads as a greeting, thanks or a goodbye", () => {
  const testRide = { name: "probefahrt", examples: ["kann ich ein rad probefahren", "rad testen"] };
  const message = (text: string, words: string, intent: string, kind: string) =>
    `\`${text}\` reads as ${words}: who writes just that gets \`${intent}\`, and any other wording the bot's own answer; an intent named \`social.${kind}\` answers all of them`;
  expect(checkCourteousExamples(botWith({ language: "de", intents: [testRide] }))).toEqual([
    {
      pointer: "/intents/0/examples/1",
      message: message("rad testen", "a greeting", "probefahrt", "greeting"),
      severity: "warning",
    },
  ]);
  const ending = { name: "orders.end", examples: ["thanks a lot", "see you later", "order please"] };
  expect(checkCourteousExamples(botWith({ intents: [ending] })).map((problem) => problem.message)).toEqual([
    message("thanks a lot", "thanks", "orders.end", "thanks"),
    message("see you later", "a goodbye", "orders.end", "goodbye"),
  ]);
});

test.each<[string, WrittenFields]>([
  ["an intent is named after the kind", { intents: [{ ...tour, name: "social.greeting" }] }],
  ["social turns are off", { intents: [tour], social: false }],
  ["the intent is denied: such greetings are", { intents: [tour], capabilityProfile: { deny: ["tour"] } }],
])("and of none where %s", (_, fields) => {
  expect(checkCourteousExamples(botWith(fields))).toEqual([]);
});
