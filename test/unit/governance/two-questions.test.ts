import { describe, expect, test } from "bun:test";

import type { IntentName } from "../../../src/domain/ids.ts";
import type { JudgedParts } from "../../../src/governance/parts/judge-parts.ts";
import { openPart } from "../../../src/governance/two-questions.ts";
import { wordClassifier } from "../../support/word-classifier.ts";

const ORDERS = "orders" as IntentName;

/** Two joined questions, of these confidences. */
function partsOf(first: Record<string, number>, second: Record<string, number>): JudgedParts {
  const classifier = wordClassifier({ first, second });
  const part = (text: string) => ({
    text: `${text}?`,
    classification: classifier.classify(text),
    hasSubject: true,
  });
  return { parts: [part("first"), part("second")], isJoined: true };
}

describe("the part that an answer leaves open", () => {
  test.each([
    ["is the one that is of no intent", { orders: 0.9 }, {}, "second?"],
    ["is the first one, too", {}, { orders: 0.9 }, "first?"],
    ["is one that is hardly of the same intent", { orders: 0.9 }, { orders: 0.5 }, "second?"],
    ["is none where both are surely of it", { orders: 0.9 }, { orders: 0.7 }, undefined],
    ["is none where the other one is clearly of another", { orders: 0.9 }, { refunds: 0.5 }, undefined],
    ["is none where neither is clear", { orders: 0.3 }, {}, undefined],
  ])("%s", (_, first, second, open) => {
    expect(openPart(partsOf(first, second), ORDERS)?.text).toBe(open);
  });
});
