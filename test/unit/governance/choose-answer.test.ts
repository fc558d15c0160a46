import { expect, test } from "bun:test";

import type { IntentName } from "../../../src/domain/ids.ts";
import type { Target, WeighedCandidate, WeighedCandidates } from "../../../src/governance/candidates.ts";
import { withChoice } from "../../../src/governance/choose-answer.ts";

const hours = "hours" as IntentName;
const prices = "prices" as IntentName;
const passage = (id: number): Target => ({ kind: "passage", passage: id, document: "d1", heading: "" });

function candidate(target: Target, chance: number): WeighedCandidate {
  return {
    target,
    chance,
    reading: "standalone",
    speaking: { meaning: 0, words: 0, classifier: 0, context: 0 },
  };
}

const WEIGHED: WeighedCandidates = {
  candidates: [
    candidate({ kind: "intent", intent: hours }, 0.4),
    candidate(passage(7), 0.3),
    candidate(passage(8), 0.1),
    candidate({ kind: "intent", intent: prices }, 0.05),
  ],
  nothing: 0.15,
  usesMeaning: true,
};

const chancesOf = ({ candidates, nothing }: WeighedCandidates) => ({
  best: candidates[0]!.target,
  best_chance: candidates[0]!.chance,
  total: candidates.reduce((sum, { chance }) => sum + chance, nothing),
});

test.each([
  ["an intent", { intent: prices }, { kind: "intent", intent: prices }],
  ["a passage", { passage: { id: 8, document: "d1" } }, passage(8)],
] as const)("%s that a model chose is the likeliest, and chances still add up", (_, target, best) => {
  const { total, ...chosen } = chancesOf(withChoice(WEIGHED, { kind: "one", target }));
  expect(chosen).toEqual({ best, best_chance: 0.9 });
  expect(total).toBeCloseTo(1);
});

test("what was surer than that stays as sure, and what competes no longer changes nothing", () => {
  const sure = { ...WEIGHED, candidates: [candidate(passage(7), 0.97)], nothing: 0.03 };
  expect(withChoice(sure, { kind: "one", target: { passage: { id: 7, document: "d1" } } })).toBe(sure);
  expect(withChoice(WEIGHED, { kind: "one", target: { passage: { id: 9, document: "d1" } } })).toBe(WEIGHED);
});

test("where a model chose none, what it was not shown alone keeps its chance", () => {
  const { candidates, nothing } = withChoice(WEIGHED, { kind: "none", passages: [7] });
  expect(candidates[0]).toMatchObject({ target: passage(8), chance: 0.1 });
  expect(candidates.slice(1).map(({ chance }) => chance)).toEqual([0, 0, 0]);
  expect(nothing).toBeCloseTo(0.9);
});
