import { describe, expect, test } from "bun:test";

import type { CandidateReceipt } from "../../../../src/domain/decision.ts";
import { type IntentName, KNOWLEDGE_INTENT } from "../../../../src/domain/ids.ts";
import { mayBeWrong, wrongSigns } from "../../../../src/operate/likely-wrong.ts";
import type { AnsweredTurn } from "../../../../src/store/interface/audit.ts";

const BOT = {
  intents: [
    { name: "hours" as IntentName, label: "opening hours", examples: ["when are you open"] },
    { name: "person" as IntentName, handoff: true as const },
  ],
};

type Fields = Partial<Omit<AnsweredTurn, "receipt">> & { receipt?: Partial<AnsweredTurn["receipt"]> };

function turn({ receipt, ...fields }: Fields = {}): AnsweredTurn {
  return {
    requestId: "rq_1" as AnsweredTurn["requestId"],
    conversationId: "cv_1" as AnsweredTurn["conversationId"],
    at: 0,
    input: "when are you open",
    response: "We open at 9.",
    intent: "hours" as IntentName,
    decision: "allowed",
    receipt: { rule: "best-intent", readings: [], ...receipt },
    rating: null,
    why: null,
    before: null,
    next: null,
    askedForPerson: false,
    ...fields,
  };
}

function candidate(chance: number, meaning: number, named: Partial<CandidateReceipt> = {}): CandidateReceipt {
  const speaking = { meaning, words: 0, classifier: 0, context: 0 };
  return { chance, reading: "plain", speaking, passage: { id: 1, document: "d1" }, ...named };
}

const next = (input: string, intent: string | null = null, at = 1000): AnsweredTurn["next"] => ({
  at,
  input,
  intent: intent as IntentName | null,
});
const ofPlain = (denied: number) => [{ reading: "plain" as const, scores: [], inScope: 1, denied }];
const REFUSED = { decision: "DENY_LIST", response: "I can't help with that." } as const;
const FROM_DOCUMENTS = { intent: KNOWLEDGE_INTENT, input: "when are you open" } as const;
const MINUTE = 60_000;

test("words of another language than the answer's are no evidence", () => {
  const answered = { response: "We are open from 9 to 18, and on Saturdays from 10 to 14." };
  expect(wrongSigns(turn({ input: "wann habt ihr geöffnet", ...answered }), BOT)).toEqual([]);
  expect(wrongSigns(turn({ input: "what is your biggest submarine", ...answered }), BOT)).not.toEqual([]);
});

test("missing words are shown as their visitor wrote them", () => {
  const signs = wrongSigns(turn({ input: "Prüfst du Öltanks?", response: "Montags." }), BOT);
  expect(signs).toEqual([{ kind: "lacks_words", words: ["Prüfst", "Öltanks"] }]);
});

describe("signs of a wrong answer", () => {
  test.each<[string, Fields, ...kinds: string[]]>([
    ["nothing", {}],
    ["a vote", { rating: "down" }, "rated_down"],
    ["a vote for it", { rating: "up" }],
    ["a complaint next", { next: next("that is wrong", "social.repair") }, "complained"],
    ["a no next", { next: next("no, on Sundays") }, "complained"],
    ["a no to a question", { response: "Anything else?", next: next("no") }],
    ["what was meant instead", { next: next("ich meinte den Laden") }, "complained"],
    ["a complaint an hour later", { next: next("that is wrong", "social.repair", 60 * MINUTE) }],
    ["the same again in other words", { next: next("are you open or when") }, "reworded"],
    ["something else next", { next: next("do you sell boats") }],
    ["the wish for a person next", { next: next("a human please", "social.person") }, "left_for_person"],
    ["a form for a person filled in", { askedForPerson: true }, "left_for_person"],
    ["a form after a refusal", { ...REFUSED, askedForPerson: true, receipt: { readings: ofPlain(0.9) } }],
    ["words that are nowhere", { input: "submarine tours" }, "lacks_words"],
    ["words that an example has", { input: "are they open" }],
    ["words of which one is there", { input: "open submarine" }],
    ["words, where the visitor chose", { input: "submarine tours", receipt: { rule: "choice" } }],
    ["a refusal that was hardly one", { ...REFUSED, receipt: { readings: ofPlain(0.5) } }, "unsure"],
    ["a refusal that was sure", { ...REFUSED, receipt: { readings: ofPlain(0.9) } }],
    [
      "an unsure passage",
      { ...FROM_DOCUMENTS, response: "Open at 9.", receipt: { candidates: [candidate(0.6, -5)] } },
      "unsure",
    ],
    [
      "a sure passage",
      { ...FROM_DOCUMENTS, response: "Open at 9.", receipt: { candidates: [candidate(0.9, -5)] } },
    ],
    [
      "an unsure intent",
      { receipt: { candidates: [{ ...candidate(0.6, -5), intent: "hours" as IntentName }] } },
    ],
    [
      "a document that is nearer in meaning",
      {
        receipt: { candidates: [candidate(0.9, -6, { intent: "hours" as IntentName }), candidate(0.1, -5)] },
      },
      "other_nearer",
    ],
    ["a document that was surer", { receipt: { candidates: [candidate(0.9, -5)] } }, "other_nearer"],
  ])("%s", (_, fields, ...kinds) => {
    expect(wrongSigns(turn(fields), BOT).map(({ kind }) => kind as string)).toEqual(kinds);
  });
});

test.each<[string, Fields, boolean]>([
  ["an answer", {}, true],
  ["a refusal", REFUSED, true],
  ["what was not understood", { decision: "no_intent_match", intent: null }, false],
  ["a courtesy", { intent: "social.thanks" as IntentName }, false],
  ["links that may help", { intent: KNOWLEDGE_INTENT, receipt: { rule: "knowledge-may-help" } }, false],
  ["a value for an action", { receipt: { rule: "action" } }, false],
  [
    "a value that is a request as well",
    {
      receipt: {
        action: {
          intent: "hours" as IntentName,
          state: "asking",
          filled: [{ slot: "number", from: "reply" }],
        },
      },
    },
    false,
  ],
  ["a way to a person", { intent: "person" as IntentName }, false],
])("%s may be wrong, or may not", (_, fields, expected) => {
  expect(mayBeWrong(turn(fields), BOT)).toBe(expected);
});
