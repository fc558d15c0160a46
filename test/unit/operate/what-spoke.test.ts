import { expect, test } from "bun:test";

import type { CandidateReceipt } from "../../../src/domain/decision.ts";
import type { IntentName } from "../../../src/domain/ids.ts";
import { whatSpoke } from "../../../src/operate/what-spoke.ts";

const NOTHING = { meaning: 0, words: 0, classifier: 0, context: 0 };
const intent = (speaking: Partial<CandidateReceipt["speaking"]>): CandidateReceipt => ({
  intent: "orders" as IntentName,
  chance: 0.5,
  reading: "plain",
  speaking: { ...NOTHING, ...speaking },
});
const passage = (speaking: Partial<CandidateReceipt["speaking"]>): CandidateReceipt => {
  const { intent: _, ...rest } = intent(speaking);
  return { ...rest, passage: { id: 7, document: "d1" } };
};

test("says of the first what it is ahead of the next by, and of others what they are behind by, what counts most first", () => {
  expect(
    whatSpoke([
      passage({ meaning: -4.7, words: 5.3 }),
      passage({ meaning: -9.5, words: 8 }),
      intent({ meaning: -6, words: 5, classifier: 1.8 }),
    ]),
  ).toEqual([
    "ahead: far nearer in meaning; but fewer words in common",
    "behind: far more distant in meaning; but more words in common",
    "behind: more distant in meaning; but more like its examples",
  ]);
});

test("names the reading behind what was said before", () => {
  expect(whatSpoke([{ ...intent({}), reading: "in-context" }])).toEqual([
    "read behind what was said before, nothing else came near",
  ]);
});

test("a passage beside an intent has no examples, and what hardly differs is not named", () => {
  expect(whatSpoke([intent({ classifier: 2, words: 0.4 }), passage({})])).toEqual([
    "ahead: more like its examples",
    "behind: no similar example",
  ]);
  expect(whatSpoke([intent({}), intent({ words: 0.2 })])).toEqual(["barely ahead", "barely behind"]);
});
