import { expect, test } from "bun:test";

import type { CandidateReceipt, DecisionRule } from "../../../src/domain/decision.ts";
import type { IntentName } from "../../../src/domain/ids.ts";
import { whyNotSaid } from "../../../src/operate/decided-by.ts";

const candidate = (chance: number): CandidateReceipt => ({
  passage: { id: 7, document: "d1" },
  chance,
  reading: "plain",
  speaking: { meaning: 0, words: 0, classifier: 0, context: 0 },
});
const TITLES = { 7: "Prices › Tents" };

const why = (rule: DecisionRule, chance: number, answered: string[] = []) =>
  whyNotSaid({ rule, candidates: [candidate(chance)] }, answered, TITLES);

test("says why what was sure was not said", () => {
  expect(why("unclear", 0.9)).toBe(
    "Prices › Tents was 90 % sure and was not said: the message may ask for something denied, too",
  );
  expect(why("no-match", 0.6)).toContain("an answer has to be surer than that");
});

test("says nothing of what was said, or was not sure", () => {
  expect(why("knowledge", 0.9, ["knowledge"])).toBeUndefined();
  expect(why("no-match", 0.4)).toBeUndefined();
  const intent = { ...candidate(0.9), intent: "orders" as IntentName };
  expect(whyNotSaid({ rule: "best-intent", candidates: [intent] }, ["orders"], {})).toBeUndefined();
});
