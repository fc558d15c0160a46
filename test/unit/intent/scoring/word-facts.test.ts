import { heapStats } from "bun:jsc";
import { expect, test } from "bun:test";

import { openIntentModel } from "../../../../src/intent/classifier.ts";
import { trainIntentModel } from "../../../../src/intent/training/train.ts";
import { shopBot } from "../../../support/bots.ts";

function bytesInUse(): number {
  Bun.gc(true);
  const { heapSize, extraMemorySize } = heapStats();
  return heapSize + extraMemorySize;
}

test("what is kept of words stays within its bound, however long the words are", () => {
  const classifier = openIntentModel(trainIntentModel(shopBot().intents ?? []).model);
  const wordOf = (n: number) => `${n.toString(26).replaceAll(/\d/g, "q")}${"x".repeat(4000)}${n}`;
  classifier.classify(wordOf(0));
  const before = bytesInUse();
  for (let n = 1; n <= 1500; n++) classifier.classify(wordOf(n));
  expect(bytesInUse() - before).toBeLessThan(9e6);
});
