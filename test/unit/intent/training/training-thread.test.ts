import { expect, test } from "bun:test";

import { trainIntentModel } from "../../../../src/intent/training/train.ts";
import { TrainingThread } from "../../../../src/intent/training/training-thread.ts";

const INTENTS = [
  { name: "orders.status", examples: ["where is my order", "track my parcel"] },
  { name: "orders.cancel", examples: ["cancel my order", "stop the shipment"] },
];

test("a worker trains the same model as this thread, and tells how far it is", async () => {
  const progress: number[] = [];
  using thread = new TrainingThread();
  const { model } = await thread.train(INTENTS, { report: (done) => progress.push(done) });
  expect(model).toEqual(trainIntentModel(INTENTS).model);
  expect(progress).toEqual(progress.toSorted((a, b) => a - b));
  expect(progress.at(-1)).toBe(1);
});

test("a thread trains one bot after another", async () => {
  using thread = new TrainingThread();
  const first = await thread.train(INTENTS);
  const second = await thread.train(INTENTS.toReversed());
  expect(second.model).not.toEqual(first.model);
  expect((await thread.train(INTENTS)).model).toEqual(first.model);
});

test("a failing worker is an error here", async () => {
  const missing = new URL("./no-such-worker.ts", import.meta.url);
  using thread = new TrainingThread(missing);
  await expect(thread.train(INTENTS)).rejects.toThrow("training failed");
});
