import { afterAll, beforeAll, expect, test } from "bun:test";

import { shopBot } from "../support/bots.ts";
import { type TestParley, startParley } from "../support/parley.ts";

let parley: TestParley;

beforeAll(async () => {
  parley = await startParley({
    bots: [
      shopBot({
        id: "shop",
        capabilityProfile: { deny: ["billing"] },
        intents: [
          {
            name: "orders.status",
            label: "Where is my order?",
            examples: ["where is my order", "track my parcel", "has my package shipped"],
            responses: ["On its way."],
            next: ["returns", "billing", "Do you ship to Norway?"],
          },
          {
            name: "returns",
            label: "Send something back",
            examples: ["how do I return this", "send it back", "return an item"],
            responses: ["Within 30 days."],
          },
          {
            name: "billing",
            examples: ["send me an invoice", "my invoice is wrong", "question about billing"],
            responses: ["Never said."],
          },
        ],
      }),
    ],
  });
});
afterAll(() => parley[Symbol.asyncDispose]());

const NEXT = [
  { label: "Send something back", input: "how do I return this" },
  { label: "Do you ship to Norway?", input: "Do you ship to Norway?" },
];

test("an answer offers what its intent names, but for what the profile refuses", async () => {
  const { metadata } = await parley.say("where is my order");
  expect(metadata).toMatchObject({ next: NEXT });
});

test("what a step sends is answered by its intent", async () => {
  expect((await parley.say(NEXT[0]!.input)).intentDetected).toBe("returns");
});

test("an intent without `next`, and a refusal, offer nothing", async () => {
  expect((await parley.say("how do I return this")).metadata).not.toHaveProperty("next");
  expect((await parley.say("send me an invoice")).metadata).not.toHaveProperty("next");
});

test("a retry is offered the same", async () => {
  const headers = { "Idempotency-Key": "next-1" };
  const ask = async () => {
    const response = await parley.chat({ botId: "shop", input: "where is my order" }, { headers });
    return (await response.json()) as object;
  };
  const first = await ask();
  expect(first).toMatchObject({ metadata: { next: NEXT } });
  expect(await ask()).toEqual(first);
});
