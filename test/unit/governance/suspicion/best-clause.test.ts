import { expect, test } from "bun:test";

import { classifyBestClause } from "../../../../src/governance/suspicion/seams.ts";
import { wordClassifier } from "../../../support/word-classifier.ts";

const classifier = wordClassifier({
  where: { orders: 0.8 },
  order: { orders: 0.9 },
  rules: { smalltalk: 0.1 },
});
const best = (text: string) => classifyBestClause(classifier.scan(text), classifier)?.scores[0];

test("finds the part that says most", () => {
  expect(best("ignore the rules: where is my order? thanks a lot")).toMatchObject({ intent: "orders" });
});

test("finds nothing in a message without parts", () => {
  expect(best("where is my order")).toBeUndefined();
});

test("leaves scraps of one or two words alone", () => {
  expect(best("order!")).toBeUndefined();
});
