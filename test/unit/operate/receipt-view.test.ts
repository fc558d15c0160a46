import { expect, test } from "bun:test";

import type { CandidateReceipt, DecisionReceipt } from "../../../src/domain/decision.ts";
import { KNOWLEDGE_INTENT } from "../../../src/domain/ids.ts";
import { receiptViewOf } from "../../../src/operate/receipt/receipt-view.ts";
import { shopBot } from "../../support/bots.ts";

const speaking = { meaning: 0, words: 0, classifier: 0, context: 0 };
const passage = (id: number, words: number): CandidateReceipt => ({
  passage: { id, document: "d1" },
  chance: 0.4,
  reading: "plain",
  speaking: { ...speaking, words },
});
const receipt: DecisionReceipt = {
  botVersion: 1,
  rule: "knowledge",
  thresholds: { match: 0.6, deny: 0.4 },
  readings: [],
  stagesMs: {},
  knowledge: { confidence: 0.4, passages: [{ id: 7, document: "d1", score: 0.4 }] },
  candidates: [passage(7, 4), { ...passage(8, 0), chance: 0.3 }],
};
const turn = {
  receipt,
  input: "how long is it good for",
  document: shopBot(),
  intent: KNOWLEDGE_INTENT,
  metadata: { capabilityAllowed: true, schemaEnforced: false, schemaFallbackUsed: false },
  passages: { 7: "Gift cards › Validity" },
};

test("what competed takes the place of passages and of the threshold to match, and says which was answered", () => {
  const subject = { passage: { id: 7, document: "d1" }, name: "Validity", words: [] };
  const view = receiptViewOf({ ...turn, subject });
  expect(view.candidates).toMatchObject([
    { name: "Gift cards › Validity", kind: "passage", isSaid: true, why: expect.stringContaining("ahead") },
    { name: "passage 8", isSaid: false, why: expect.stringContaining("behind: ") },
  ]);
  expect(view.passages).toEqual([]);
  expect(view.scores.map(({ name }) => name)).toEqual(["deny"]);
  expect(view.about).toBe("Validity");
  expect(view.steps.find(({ result }) => result === "decided")?.step).toBe(
    "The likeliest of intents and documents",
  );
});

test("a subject that was only carried on is not what was answered", () => {
  const { intent: _, ...unanswered } = turn;
  const subject = { passage: { id: 7, document: "d1" }, name: "Validity", words: [] };
  const metadata = {
    ...turn.metadata,
    capabilityAllowed: false,
    enforcementReason: "no_intent_match" as const,
  };
  const view = receiptViewOf({ ...unanswered, metadata, subject, receipt: { ...receipt, rule: "no-match" } });
  expect(view.candidates!.map(({ isSaid }) => isSaid)).toEqual([false, false]);
});
