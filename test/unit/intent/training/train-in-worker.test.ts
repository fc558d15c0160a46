import { expect, test } from "bun:test";

import { TrainingThread } from "../../../../src/intent/training/train-in-worker.ts";
import { trainIntentModel } from "../../../../src/intent/training/train.ts";

const INTENTS = [
  { name: "orders.status", examples: ["where is my order", "track my parcel"] },
  { name: "orders.cancel", examples: ["cancel my order", "stop the shipment"] },
];

test("a worker trains the same model as this thread, and tells how far it is", async () => {
  const progress: number[] = [];
  let ready: Uint8Array | undefined;
  using thread = new TrainingThread();
  const { model } = await thread.train(INTENTS, {
    seed: 3,
    report: (done) => progress.push(done),
    onReady: (early) => (ready = early),
  });
  expect(model).toEqual(trainIntentModel(INTENTS, { seed: 3 }).model);
  expect(ready?.length).toBeGreaterThan(0);
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
