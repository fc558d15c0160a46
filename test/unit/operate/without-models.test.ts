import { expect, test } from "bun:test";

import { asksModels } from "../../../src/domain/responder.ts";
import { withoutModels } from "../../../src/operate/without-models.ts";
import { shopBot, type WrittenFields } from "../../support/bots.ts";

const ASKING: WrittenFields[] = [
  { responder: { kind: "model" } },
  { responder: { kind: "scripted", else: "model" } },
  { classifier: { judge: { model: "local" } } },
  { classifier: { embeddings: { model: "local" } } },
  { knowledge: { sources: ["./help"], answer: "model" } },
  { intents: [{ name: "a.b", examples: ["hello"], responder: { kind: "model" } }], capabilityProfile: {} },
];

test.each(ASKING)("a bot with %j asks models, and none without them", (fields) => {
  const bot = shopBot(fields);
  expect(asksModels(bot)).toBe(true);
  expect(asksModels(withoutModels(bot))).toBe(false);
});
