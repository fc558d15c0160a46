import { expect, test } from "bun:test";

import * as fc from "fast-check";

import type { IntentName } from "../../../../src/domain/ids.ts";
import { rankIntents } from "../../../../src/intent/scoring/rank-intents.ts";

const INTENTS = Array.from("abcdefgh") as IntentName[];
const confidences = fc.array(fc.constantFrom(0, 0.1, 0.2, 0.3, 0.4), { minLength: 8, maxLength: 8 });

test("lists the five intents with the highest confidences, of several alike the first", () => {
  fc.assert(
    fc.property(confidences, (values) => {
      const sorted = INTENTS.map((intent, k) => ({ intent, confidence: Math.fround(values[k]!) }))
        .filter(({ confidence }) => confidence > 0)
        .toSorted((a, b) => b.confidence - a.confidence);
      expect(rankIntents(Float32Array.from(values), INTENTS)).toEqual(sorted.slice(0, 5));
    }),
  );
});

test("puts the best intent first, though others are as likely", () => {
  const ranked = rankIntents(Float32Array.of(0.4, 0.4, 0.1, 0, 0, 0, 0, 0), INTENTS, 1);
  expect(ranked.map(({ intent }) => intent)).toEqual(["b", "a", "c"] as IntentName[]);
});
