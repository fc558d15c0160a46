import { describe, expect, test } from "bun:test";

import { KNOWLEDGE_INTENT } from "../../../src/domain/ids.ts";
import type { DecidedUtterance } from "../../../src/operate/decide-utterances.ts";
import { countOutcomes, evaluateDecisions, listMisses, outcomeOf } from "../../../src/operate/figures.ts";
import type { IntentWarning } from "../../../src/operate/review.ts";
import { judgeBot } from "../../../src/operate/verdict.ts";

function decided(fields: Partial<DecidedUtterance> = {}): DecidedUtterance {
  return {
    text: "any",
    expected: "a",
    got: "a",
    inScope: 1,
    confidence: 1,
    isAccepted: true,
    expectedDecision: "allowed",
    gotDecision: "allowed",
    decidedIntent: "a",
    suggestions: [],
    rule: "best-intent",
    chance: 0.9,
    ...fields,
  };
}

const RIGHT = decided();
const ASKED = decided({ gotDecision: "no_intent_match", decidedIntent: null, suggestions: ["b", "a"] });
const LOST = decided({ gotDecision: "no_intent_match", decidedIntent: null, suggestions: ["b"] });
const WRONG = decided({ decidedIntent: "b", got: "b" });
const HELD = decided({ expectedDecision: "DENY_LIST", gotDecision: "DENY_LIST", decidedIntent: "z" });
const LET_THROUGH = decided({ expectedDecision: "DENY_LIST" });
const FOREIGN = decided({
  expected: null,
  expectedDecision: "no_intent_match",
  gotDecision: "no_intent_match",
  decidedIntent: null,
});

describe("what an utterance came to", () => {
  test.each([
    ["the right answer is right", RIGHT, "right"],
    ["the right intent among the choices is asked", ASKED, "asked"],
    ["a question back without it is missed", LOST, "missed"],
    ["another intent's answer is missed", WRONG, "missed"],
    [
      "an answer from documents is told apart",
      { ...WRONG, decidedIntent: KNOWLEDGE_INTENT, rule: "knowledge" as const },
      "documents",
    ],
    ["a denial is right, whichever denied intent it names", HELD, "right"],
    ["an answer to what is to be denied is missed", LET_THROUGH, "missed"],
    ["a refusal of what is foreign is right", FOREIGN, "right"],
    ["an answer to what is foreign is missed", { ...FOREIGN, gotDecision: "allowed" as const }, "missed"],
    [
      "a denial of what is to be answered is missed",
      { ...RIGHT, gotDecision: "DENY_LIST" as const },
      "missed",
    ],
  ] as const)("%s", (_name, utterance, outcome) => {
    expect(outcomeOf(utterance)).toBe(outcome);
  });

  test("is counted, and makes a rate of what is in scope", () => {
    const all = [RIGHT, RIGHT, ASKED, LOST, WRONG, FOREIGN];
    expect(countOutcomes(all)).toEqual({ right: 3, asked: 1, documents: 0, missed: 2 });
    expect(evaluateDecisions(all)).toMatchObject({ served: 3 / 5, askedBackRightly: 1 / 5 });
    expect(evaluateDecisions([])).toMatchObject({ served: null, askedBackRightly: null });
  });
});

describe("misses", () => {
  test("list wrong answers first, the surest before others, with what was got and its chance", () => {
    const unsure = { ...WRONG, text: "unsure", chance: 0.3 };
    const lost = { ...LOST, text: "lost", got: "b", chance: 0.8 };
    expect(listMisses([RIGHT, lost, unsure, ASKED, { ...WRONG, text: "sure" }])).toMatchObject([
      { text: "sure", expected: "a", got: "b", chance: 0.9, gotDecision: "allowed" },
      { text: "unsure", got: "b", chance: 0.3 },
      { text: "lost", expected: "a", got: "b", gotDecision: "no_intent_match", suggestions: ["b"] },
    ]);
  });
});

describe("a verdict", () => {
  const times = (count: number, utterance: DecidedUtterance) =>
    Array.from({ length: count }, () => utterance);
  const gradeOf = (right: number, asked: number, missed: number) =>
    judgeBot([...times(right, RIGHT), ...times(asked, ASKED), ...times(missed, LOST)], [], "acme").grade;

  test("counts what was asked back rightly as served", () => {
    expect(gradeOf(60, 15, 25)).toBe("good");
    expect(gradeOf(74, 0, 26)).toBe("fair");
    expect(gradeOf(30, 25, 45)).toBe("fair");
    expect(gradeOf(30, 24, 46)).toBe("weak");
    expect(gradeOf(0, 0, 0)).toBeNull();
  });

  const few: IntentWarning = {
    kind: "few_examples",
    intents: [
      { intent: "b", count: 4 },
      { intent: "c", count: 2 },
    ],
    message: "few",
  };
  const shadowed: IntentWarning = {
    kind: "shadowed_denial",
    denied: "z",
    by: "a",
    examples: ["x"],
    message: "shadowed",
  };
  const overlap = (confused: number): IntentWarning => ({
    kind: "overlap",
    pair: {
      intents: ["a", "b"],
      confused,
      total: 10,
      examplesToMove: [{ text: "buy", from: "a", to: "b", confidence: 0.9 }],
    },
    message: "overlap",
  });
  const nextOf = (all: readonly DecidedUtterance[], ...warnings: IntentWarning[]) =>
    judgeBot(all, warnings, "acme").next;

  test("names one next step: what lets denied requests through, before few examples, before overlaps", () => {
    expect(nextOf([RIGHT], overlap(5), few, shadowed)).toStartWith("Add examples to z, which is denied: a ");
    expect(nextOf([RIGHT], overlap(5), few)).toBe("Add examples to c, it has 2; one other has few, too.");
    expect(nextOf([RIGHT], overlap(5))).toStartWith('Tell a and b apart: "buy" of a looks like b;');
    expect(nextOf([RIGHT], overlap(1))).not.toContain("apart");
  });

  test("names the intent that is understood least where no warning says more", () => {
    const ofB = [RIGHT, LOST].map((utterance) => ({ ...utterance, expected: "b" }));
    expect(nextOf([RIGHT, RIGHT, LOST, ...ofB, ...ofB])).toBe(
      "Add examples to b: of its 4, 2 were understood when held back. Ten are better.",
    );
  });

  test("of a bot without faults is to try it", () => {
    expect(nextOf(times(9, RIGHT))).toBe(
      'Try it with messages of your own: `parley explain --bot acme "message"`.',
    );
  });
});
