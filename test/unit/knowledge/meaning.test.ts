import { describe, expect, test } from "bun:test";

import { answerFromKnowledge } from "../../../src/knowledge/answer.ts";
import { readCandidate } from "../../../src/knowledge/candidate.ts";
import { weighMeaning } from "../../../src/knowledge/meaning.ts";
import { termsOfPassage } from "../../../src/knowledge/packed-terms.ts";
import type { Passage } from "../../../src/knowledge/passage.ts";
import { readQuestion } from "../../../src/knowledge/question.ts";
import { rankCandidates } from "../../../src/knowledge/rank.ts";
import { SearchIndex } from "../../../src/knowledge/search-index.ts";

const PASSAGES: Passage[] = [
  "Deleting my Gmail account",
  "Deleting my Facebook account",
  "Deleting files",
].map((title) => ({
  documentId: title,
  title,
  headingPath: [],
  body: "Open the settings and choose delete.",
}));
const MESSAGE = "how is my mail account deleted";

const index = SearchIndex.build(
  PASSAGES.map(({ title, body }, id) => ({ id, terms: termsOfPassage(title, body) })),
);

/** Directions in a plane: of the message, of what means the same, and of all else. */
function encode(text: string): Promise<Float32Array | undefined> {
  const isMeant = text === MESSAGE || text.includes("Facebook");
  return Promise.resolve(Float32Array.of(isMeant ? 1 : 0, isMeant ? 0 : 1));
}

const meanings = { ofMessage: encode, ofPassage: encode };

function rankAll() {
  const question = readQuestion(index, MESSAGE);
  const hits = index.search(question.terms, 10);
  return rankCandidates(
    question,
    hits.map((hit) => readCandidate(question, PASSAGES[hit.id]!, hit, "en")),
  );
}

describe("meaning", () => {
  test("puts the passage first that means the same, and keeps all", async () => {
    const ranked = rankAll();
    const found = await weighMeaning(MESSAGE, ranked, meanings, 5);
    expect(found!.ranked[0]!.passage.title).toBe("Deleting my Facebook account");
    expect(found!.nearness).toBe(1);
    expect(new Set(found!.ranked.map(({ hit }) => hit.id))).toEqual(new Set(ranked.map(({ hit }) => hit.id)));
  });

  test("is left aside where the message has none, or nothing was found", async () => {
    const unknown = { ...meanings, ofMessage: () => Promise.resolve(undefined) };
    expect(await weighMeaning(MESSAGE, rankAll(), unknown)).toBeUndefined();
    expect(await weighMeaning(MESSAGE, [], meanings)).toBeUndefined();
  });

  test("is asked for where words are not sure, and something was asked", async () => {
    const asked: string[] = [];
    const parts = {
      index,
      language: "en",
      readPassages: (ids: readonly number[]) =>
        Promise.resolve(new Map(ids.map((id) => [id, PASSAGES[id]!]))),
      meanings: {
        ...meanings,
        ofMessage: (text: string) => {
          asked.push(text);
          return encode(text);
        },
      },
    };
    await answerFromKnowledge(parts, "what");
    await answerFromKnowledge(parts, "Deleting my Facebook account");
    expect(asked).toEqual([]);
    await answerFromKnowledge(parts, MESSAGE);
    expect(asked[0]).toBe(MESSAGE);
  });
});
