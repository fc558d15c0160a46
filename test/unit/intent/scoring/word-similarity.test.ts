import { describe, expect, test } from "bun:test";

import type { IntentName } from "../../../../src/domain/ids.ts";
import { Coverage, coverageOf as shareCovered } from "../../../../src/intent/scoring/coverage.ts";
import { WordSimilarity } from "../../../../src/intent/scoring/word-similarity.ts";
import { englishMeanings } from "../../../../src/intent/words/english-meanings.ts";
import { NO_KNOWLEDGE } from "../../../../src/intent/words/word-knowledge.ts";
import {
  MEANING_DIMENSIONS,
  packWordMeanings,
  WordMeanings,
} from "../../../../src/intent/words/word-meanings.ts";
import { normaliseText } from "../../../../src/text/normalise.ts";
import { TokenBuffer } from "../../../../src/text/tokenise.ts";
import { hashWordText } from "../../../../src/text/word-hash.ts";
import { fitModel } from "../../../support/fit-model.ts";

const [TICKETS, ACCOUNT] = [0, 1];
const examples = {
  texts: ["where is my ticket", "book a ticket", "delete my account", "remove my account"],
  labels: Int32Array.of(TICKETS, TICKETS, ACCOUNT, ACCOUNT),
  classCount: 2,
};
const model = fitModel(examples, NO_KNOWLEDGE);
const similarity = new WordSimilarity(englishMeanings(), model);

function similarityOf(text: string, intent = TICKETS) {
  const tokens = new TokenBuffer();
  tokens.read(normaliseText(text));
  const words = tokens.words().map((word, token) => {
    const hash = hashWordText(word);
    const row = model.vocabulary.index.find(hash);
    return { meaning: englishMeanings().findForm(hash, tokens, token), row };
  });
  return similarity.of(words, intent);
}

describe("similarity", () => {
  test("is whole where the examples hold every word, and says nothing where no word does", () => {
    expect(similarityOf("Where is my ticket?")).toEqual({ toKnown: 1, toIntent: 1, weakest: 1 });
    expect(similarityOf("42 😀 is it")).toEqual({ toKnown: 0.5, toIntent: 0.5, weakest: 0.5 });
  });

  test("of a word is that to the word of the examples that is most like it", () => {
    expect(similarityOf("booking").toKnown).toBeGreaterThan(similarityOf("grandmother").toKnown + 0.2);
    expect(similarityOf("booking").toKnown).toBeLessThan(1);
  });

  test("to an intent is that to the words of its own examples", () => {
    expect(similarityOf("account", TICKETS)).toMatchObject({ toKnown: 1 });
    expect(similarityOf("account", TICKETS).toIntent).toBeLessThan(0.7);
    expect(similarityOf("account", ACCOUNT).toIntent).toBe(1);
    expect(similarityOf("booking", TICKETS).toIntent).toBeGreaterThan(
      similarityOf("booking", ACCOUNT).toIntent,
    );
  });

  test("is weakest at the word that is least like any", () => {
    const { weakest, toIntent } = similarityOf("book a ticket for my grandmother");
    expect(weakest).toBeLessThan(0.6);
    expect(toIntent).toBeGreaterThan(weakest);
    expect(weakest).toBeCloseTo(similarityOf("grandmother").weakest, 6);
  });

  test("hardly depends on frequent words", () => {
    const { toKnown } = similarityOf("booking");
    expect(Math.abs(similarityOf("is this the booking that is there").toKnown - toKnown)).toBeLessThan(0.1);
  });

  test("is the same whenever it is asked for", () => {
    const first = similarityOf("two seats for saturday");
    similarityOf("two seats for saturday", ACCOUNT);
    expect(similarityOf("two seats for saturday")).toEqual(first);
  });
});

describe("what was compared before", () => {
  const WORDS = 34_000;
  const meanings = WordMeanings.unpack(
    new Uint8Array(packWordMeanings(Array.from({ length: WORDS }, (_, word) => wordAt(word)))),
  );
  const known = ["ticket", "account"].map((word, k) => ({ word: k * 1000, hash: hashWordText(word) }));

  /** Words of all directions in a plane; two of them are known ones. */
  function wordAt(word: number) {
    const vector = Array.from({ length: MEANING_DIMENSIONS }, () => 0);
    vector[0] = Math.cos(word);
    vector[1] = Math.sin(word);
    const hash = word === 0 ? hashWordText("ticket") : word === 1000 ? hashWordText("account") : word;
    return { hash, weight: 0.5, vector };
  }

  function ofWord(asked: WordSimilarity, word: number, intent: number) {
    const row = model.vocabulary.index.find(word);
    return asked.of([{ meaning: meanings.find(word), row }], intent);
  }

  const toKnown = (word: number) =>
    Math.fround(meanings.greatestSimilarity(word, meanings.select(known.map((other) => other.word))));

  test("never stands for another comparison, though places are fewer than words", () => {
    const asked = new WordSimilarity(meanings, model);
    const answers = Array.from({ length: 6000 }, (_, i) => 2000 + ((i * 7919) % 4999));
    for (const word of answers) {
      expect(ofWord(asked, word, TICKETS).toKnown).toBe(toKnown(word));
      expect(ofWord(asked, word, ACCOUNT).toIntent).toBe(
        Math.fround(meanings.greatestSimilarity(word, meanings.select([known[ACCOUNT]!.word]))),
      );
    }
  });

  test("is kept apart however many the intents are", () => {
    const intents = Array.from({ length: 2 ** 17 - 1 }, (_, k) => String(k) as IntentName);
    const occurrence = new Uint8Array(model.vocabulary.idf.length * 2 ** 14);
    const asked = new WordSimilarity(meanings, { ...model, intents, occurrence });
    for (const word of [7 + 2 ** 15, 7]) {
      expect(ofWord(asked, word, TICKETS).toKnown).toBe(toKnown(word));
    }
  });
});

test("a word by itself is compared with those that can name a subject", () => {
  const ofWord = (word: string) => {
    const tokens = new TokenBuffer();
    tokens.read(word);
    return similarity.ofWord(hashWordText(word), tokens, 0);
  };
  expect(ofWord("tickets")).toBeGreaterThan(0.5);
  expect(ofWord("myself")).toBeLessThan(0.4);
  expect(ofWord("quiddestrasse")).toBe(0);
});

test("a word that means much the same as a known one is covered, another is not", () => {
  const coverage = new Coverage(model.vocabulary.index, model.lexicon, similarity);
  const coverageOf = (text: string) => {
    const tokens = new TokenBuffer();
    tokens.read(text);
    return shareCovered(Array.from({ length: tokens.count }, (_, token) => coverage.ofToken(tokens, token)));
  };
  expect(coverageOf("booking")).toBeGreaterThan(0.5);
  expect(coverageOf("chromosome")).toBe(0);
});
