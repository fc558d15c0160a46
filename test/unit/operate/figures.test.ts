import { expect, test } from "bun:test";

import type { DecidedUtterance, DecisionName } from "../../../src/operate/decide-utterances.ts";
import { evaluateDecisions } from "../../../src/operate/figures.ts";

const decided = (expectedDecision: DecisionName, gotDecision: DecisionName): DecidedUtterance => ({
  text: "any",
  expected: "any",
  got: "any",
  inScope: 1,
  confidence: 1,
  isAccepted: true,
  expectedDecision,
  gotDecision,
  decidedIntent: "any",
  suggestions: [],
  rule: "best-intent",
  chance: 1,
});

test("a bot that asks back whatever is said has denied recall, and nothing else", () => {
  const figures = evaluateDecisions([
    decided("DENY_LIST", "no_intent_match"),
    decided("DENY_LIST", "NOT_IN_ALLOW_LIST"),
    decided("allowed", "no_intent_match"),
  ]);
  expect(figures).toMatchObject({
    deniedRecall: 1,
    deniedByDenyList: 0,
    allowedAnswered: 0,
    falseDenialRate: 0,
  });
});

test("denials and answers are counted apart from refusals for other reasons", () => {
  const figures = evaluateDecisions([
    decided("DENY_LIST", "DENY_LIST"),
    decided("DENY_LIST", "no_intent_match"),
    decided("allowed", "allowed"),
    decided("allowed", "allowed"),
    decided("allowed", "DENY_LIST"),
    decided("allowed", "no_intent_match"),
  ]);
  expect(figures).toMatchObject({
    deniedRecall: 1,
    deniedByDenyList: 0.5,
    allowedAnswered: 0.5,
    falseDenialRate: 0.25,
  });
});

test("there is nothing to say where nothing should be denied or allowed", () => {
  expect(evaluateDecisions([decided("no_intent_match", "no_intent_match")])).toMatchObject({
    deniedRecall: null,
    deniedByDenyList: null,
    allowedAnswered: null,
  });
});
