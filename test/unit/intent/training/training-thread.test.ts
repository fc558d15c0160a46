import { expect, test } from "bun:test";

import type { EncoderInput } from "../../../../src/intent/classifier.ts";
import { textsToEncode } from "../../../../src/intent/training/fit-sentences.ts";
import { TrainingThread } from "../../../../src/intent/training/training-thread.ts";
import { encoderHere, trainHere } from "../../../support/encode-here.ts";

const INTENTS = [
  { name: "orders.status", examples: ["where is my order", "track my parcel"] },
  { name: "orders.cancel", examples: ["cancel my order", "stop the shipment"] },
];

test("a worker trains the same model as this thread, and tells how far it is", async () => {
  const progress: number[] = [];
  using thread = new TrainingThread();
  const { model, sentences } = await thread.train(INTENTS, { report: (done) => progress.push(done) });
  const here = trainHere(INTENTS);
  expect(model).toEqual(here.model);
  expect(sentences).toEqual(here.sentences);
  expect(progress).toEqual(progress.toSorted((a, b) => a - b));
  expect(progress.at(-1)).toBe(1);
});

test("what was encoded for one bot is not encoded again for the next, and a bot of one intent not at all", async () => {
  const encoded: string[] = [];
  const encoder = {
    encode(input: EncoderInput) {
      encoded.push(input.text);
      return encoderHere.encode(input);
    },
  };
  const intents = [
    { name: "kite.fly", examples: ["which wind does the kite want", "my kite will not rise"] },
    { name: "kite.mend", examples: ["the kite is torn", "a spar of the kite broke"] },
  ];
  using thread = new TrainingThread({ encoder });
  using other = new TrainingThread({ encoder });
  await thread.train(intents.slice(1));
  expect(encoded).toEqual([]);
  await thread.train(intents);
  await other.train(intents);
  expect(encoded.toSorted()).toEqual(textsToEncode(intents).toSorted());
  expect(encoded).toContain("the kite is torn");
});

test("a thread trains one bot after another", async () => {
  using thread = new TrainingThread();
  const first = await thread.train(INTENTS);
  const second = await thread.train(INTENTS.toReversed());
  expect(second.model).not.toEqual(first.model);
  expect((await thread.train(INTENTS)).model).toEqual(first.model);
});

test("a failing encoder is an error here", async () => {
  const encoder = { encode: () => Promise.reject(new Error("encoding failed: gone")) };
  const unread = INTENTS.map((intent) => ({ ...intent, label: `never read before: ${intent.name}` }));
  using thread = new TrainingThread({ encoder });
  await expect(thread.train(unread)).rejects.toThrow("encoding failed: gone");
});

test("a failing worker is an error here", async () => {
  const missing = new URL("./no-such-worker.ts", import.meta.url);
  using thread = new TrainingThread({ url: missing });
  await expect(thread.train(INTENTS)).rejects.toThrow("training failed");
});
