import { describe, expect, test } from "bun:test";

import { NO_KNOWLEDGE } from "../../../src/intent/english.ts";
import { FeatureBuffer } from "../../../src/intent/features.ts";
import { fitModel } from "../../../src/intent/fit.ts";
import { Likeness } from "../../../src/intent/likeness.ts";
import { normaliseText } from "../../../src/intent/normalise.ts";
import { TokenBuffer } from "../../../src/intent/tokenise.ts";
import { wordMeanings } from "../../../src/intent/word-meanings.ts";

const [TICKETS, ACCOUNT] = [0, 1];
const examples = {
  texts: ["where is my ticket", "book a ticket", "delete my account", "remove my account"],
  labels: Int32Array.of(TICKETS, TICKETS, ACCOUNT, ACCOUNT),
  classCount: 2,
};
const model = fitModel(examples, NO_KNOWLEDGE, 1, () => undefined);
const likeness = new Likeness(wordMeanings(), model);

function likenessOf(text: string, intent = TICKETS) {
  const tokens = new TokenBuffer();
  tokens.read(normaliseText(text));
  const features = new FeatureBuffer();
  features.read(tokens);
  return likeness.of(features, intent);
}

describe("likeness", () => {
  test("is whole where the examples hold every word, and where no word is one", () => {
    expect(likenessOf("Where is my ticket?")).toEqual({ toKnown: 1, toIntent: 1, weakest: 1 });
    expect(likenessOf("42 😀")).toEqual({ toKnown: 1, toIntent: 1, weakest: 1 });
  });

  test("of a word is that to the word of the examples that is most like it", () => {
    expect(likenessOf("booking").toKnown).toBeGreaterThan(likenessOf("grandmother").toKnown + 0.2);
    expect(likenessOf("booking").toKnown).toBeLessThan(1);
  });

  test("to an intent is that to the words of its own examples", () => {
    expect(likenessOf("account", TICKETS)).toMatchObject({ toKnown: 1 });
    expect(likenessOf("account", TICKETS).toIntent).toBeLessThan(0.7);
    expect(likenessOf("account", ACCOUNT).toIntent).toBe(1);
    expect(likenessOf("booking", TICKETS).toIntent).toBeGreaterThan(likenessOf("booking", ACCOUNT).toIntent);
  });

  test("is weakest at the word that is least like any", () => {
    const { weakest, toIntent } = likenessOf("book a ticket for my grandmother");
    expect(weakest).toBeLessThan(0.6);
    expect(toIntent).toBeGreaterThan(weakest);
    expect(weakest).toBeCloseTo(likenessOf("grandmother").weakest, 6);
  });

  test("hardly depends on frequent words", () => {
    const { toKnown } = likenessOf("booking");
    expect(Math.abs(likenessOf("is this the booking that is there").toKnown - toKnown)).toBeLessThan(0.1);
  });

  test("is the same whenever it is asked for", () => {
    const first = likenessOf("two seats for saturday");
    likenessOf("two seats for saturday", ACCOUNT);
    expect(likenessOf("two seats for saturday")).toEqual(first);
  });
});
