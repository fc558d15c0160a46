import { expect, test } from "bun:test";

import type { ChatMetadata } from "../../../src/domain/chat.ts";
import type { IntentName } from "../../../src/domain/ids.ts";
import { compareFigure } from "../../bench/conversation/compare.ts";
import type { Expectation } from "../../bench/conversation/conversations.ts";
import { FIGURES, percentageOf } from "../../bench/conversation/figures.ts";
import { type GradedTurn, gradeTurn, type Reply } from "../../bench/conversation/grade.ts";

const BOT = {
  intents: [
    { name: "hours" as IntentName, responses: ["We open at 9."] },
    { name: "person" as IntentName, handoff: true as const, responses: ["One moment."] },
  ],
};
const PERSON = { handoff: { state: "offered" } } as const;

function replyOf(response: string, intentDetected?: string, metadata: Partial<ChatMetadata> = {}): Reply {
  return {
    answer: {
      conversationId: "cv_1",
      response,
      ...(intentDetected !== undefined && { intentDetected }),
      metadata: {
        capabilityAllowed: intentDetected !== undefined,
        schemaEnforced: false,
        schemaFallbackUsed: false,
        ...metadata,
      },
    },
    receipt: { rule: "best-intent" },
  };
}

const NOT_UNDERSTOOD = { enforcementReason: "no_intent_match" } as const;
const ASKED = {
  ...NOT_UNDERSTOOD,
  suggestions: [{ intent: "hours" as IntentName, label: "hours" }],
};
const REFUSED = { enforcementReason: "DENY_LIST", capabilityAllowed: false } as const;

function grade(expectation: Expectation, reply: Reply, kind: GradedTurn["kind"] = "intent", before?: string) {
  return gradeTurn({ say: "?", kind, needs_context: false, expect: expectation }, reply, before, BOT);
}

const CASES: [what: string, Expectation, Reply, GradedTurn["outcome"]][] = [
  ["facts, whatever they came from", { facts: [["\\b9\\b"]] }, replyOf("at 9", "knowledge"), "served"],
  ["one of two groups of facts", { facts: [["9"], ["17"]] }, replyOf("at 9", "hours"), "wrong"],
  [
    "the intent, where facts decide",
    { facts: [["17"]], intents: ["hours"] },
    replyOf("at 9", "hours"),
    "wrong",
  ],
  ["the intent, without facts", { intents: ["hours"] }, replyOf("at 9", "hours"), "served"],
  ["another intent", { intents: ["prices"] }, replyOf("at 9", "hours"), "wrong"],
  ["what must not be said", { facts: [["9"]], mustNot: ["open"] }, replyOf("Open at 9", "hours"), "wrong"],
  ["a refusal that is wanted", { refused: true }, replyOf("no", "hours", REFUSED), "served"],
  ["one that is not", { intents: ["hours"] }, replyOf("no", "hours", REFUSED), "wrong"],
  ["nothing, outside", { outside: true }, replyOf("Hm?", undefined, NOT_UNDERSTOOD), "served"],
  ["a question back, outside", { outside: true }, replyOf("Did you mean?", undefined, ASKED), "useless"],
  ["a passage, outside", { outside: true }, replyOf("We do.", "knowledge"), "wrong"],
  ["a person, where one is wanted", { person: true }, replyOf("One moment.", "person", PERSON), "served"],
  ["a person, where none is", { intents: ["hours"] }, replyOf("One moment.", "person", PERSON), "useless"],
  [
    "a question with the intent",
    { clarify: ["hours"] },
    replyOf("Did you mean?", undefined, ASKED),
    "served",
  ],
  ["a question without it", { clarify: ["prices"] }, replyOf("Did you mean?", undefined, ASKED), "useless"],
  ["an apology", { repair: true }, replyOf("Sorry about that.", "social.repair"), "served"],
  ["a bare nod", { repair: true }, replyOf("Sorry? All right.", "social.acknowledge"), "useless"],
];

test.each(CASES)("grades %s", (_, expectation, reply, outcome) => {
  expect(grade(expectation, reply).outcome).toBe(outcome);
});

test("the same text again repairs nothing", () => {
  const graded = grade({ repair: true }, replyOf("Sorry.", "social.repair"), "repair", "Sorry.");
  expect(graded).toMatchObject({ outcome: "useless", isRepeat: true });
});

test("facts of documents are those that no response holds", () => {
  expect(grade({ facts: [["at 9"]] }, replyOf("at 9", "hours")).hasFacts).toBeUndefined();
  expect(grade({ facts: [["17"]] }, replyOf("at 17", "knowledge")).hasFacts).toBe(true);
  expect(grade({ facts: [["17"]] }, replyOf("at 9", "hours")).hasFacts).toBe(false);
});

test("a denied request that is answered is told", () => {
  expect(grade({ refused: true }, replyOf("at 9", "hours"), "denied").isDeniedAnswered).toBe(true);
  expect(grade({ refused: true }, replyOf("no", undefined, NOT_UNDERSTOOD), "denied").isDeniedAnswered).toBe(
    false,
  );
});

test("two sides are compared conversation by conversation", () => {
  const served = grade({ intents: ["hours"] }, replyOf("at 9", "hours"));
  const useless = grade({ intents: ["hours"] }, replyOf("Hm?", undefined, NOT_UNDERSTOOD));
  const before = { shop: [[useless, useless], [served]] };
  const after = { shop: [[served, useless], [served]] };
  const figure = FIGURES.find(({ title }) => title === "served")!;
  expect(percentageOf(figure, before.shop)).toBeCloseTo(100 / 3);
  const difference = compareFigure(figure, before, after)!;
  expect(difference.points).toBeCloseTo(100 / 3);
  expect(difference.from).toBe(0);
  expect(difference.to).toBe(50);
});
