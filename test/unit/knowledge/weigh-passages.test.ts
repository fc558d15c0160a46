import { describe, expect, test } from "bun:test";

import * as fc from "fast-check";

import { rowsOfPassage } from "../../../src/bots/vectors.ts";
import { extractAnswer } from "../../../src/knowledge/extract.ts";
import { termsOfPassage } from "../../../src/knowledge/packed-terms.ts";
import { type Passage, titleOf } from "../../../src/knowledge/passage.ts";
import { readQuestion } from "../../../src/knowledge/question.ts";
import { SearchIndex } from "../../../src/knowledge/search-index.ts";
import { type PassageMeaning, weighTexts } from "../../../src/knowledge/weigh-passages.ts";
import { growthOf } from "../../support/growth.ts";
import { HOSTILE_TEXTS } from "../../support/hostile-texts.ts";

const passage = (heading: string, body: string): Passage => ({
  documentId: "d1",
  title: "Site",
  headingPath: [heading],
  body,
});
const TABLE = [
  "Extra – Low season – High season",
  "Another adult – 7 € – 8 €",
  "Child from 4 to 14 – 4 € – 5 €",
  ...Array.from(
    { length: 12 },
    (_, i) => `Extra number ${i} with a long name of its own – ${i} € – ${i + 1} €`,
  ),
].join("\n");
const PASSAGES = new Map([
  [1, passage("On top of the pitch", TABLE)],
  [2, passage("Quiet", "Quiet hours are from 22:30 to 7:00.")],
]);
const INDEX = SearchIndex.build(
  Array.from(PASSAGES, ([id, one]) => ({ id, terms: termsOfPassage(titleOf(one), one.body) })),
);
const parts = {
  index: INDEX,
  readPassages: async (ids: readonly number[]) => new Map([...PASSAGES].filter(([id]) => ids.includes(id))),
  language: "en",
};
/** A meaning of four dimensions, of which two are used: of children, and of anything else. */
const CHILDREN = Float32Array.of(1, 0, 0, 0);
const meaningOf = async (text: string) => (/child|kids/i.test(text) ? CHILDREN : Float32Array.of(0, 1, 0, 0));
const meaningsOf = async (ids: readonly number[]) => {
  const meanings = new Map<number, PassageMeaning>();
  for (const id of ids) meanings.set(id, await rowsOfPassage(PASSAGES.get(id)!, "en", meaningOf));
  return meanings;
};

describe("passages beside a message", () => {
  test("says whether a message brings nothing but words that no text has", async () => {
    const brings = async (message: string) => (await weighTexts(parts, message, [], [])).hasNewWordsAlone;
    expect(await brings("and morphine?")).toBe(true);
    expect(await brings("and morphine in quiet hours?")).toBe(false);
    expect(await brings("and on that?")).toBe(false);
    expect(await brings("and 17?")).toBe(false);
  });

  test("are those that its words find, where meaning is not weighed", async () => {
    const { passages } = await weighTexts(parts, "when are quiet hours", [], []);
    expect(passages.map(({ id }) => id)).toEqual([2]);
    expect(passages[0]).toMatchObject({ coverage: 1, nearness: [], sentences: [] });
  });

  test("are also those that it means, with the sentence that is nearest", async () => {
    const reading = CHILDREN;
    const { passages } = await weighTexts({ ...parts, meaningsOf }, "kids", [reading], []);
    const [best] = passages.toSorted((left, right) => right.nearness[0]! - left.nearness[0]!);
    expect(best).toMatchObject({ id: 1, sentences: [2] });
  });

  test("stand beside other texts, such as what an intent answers", async () => {
    const others = [{ title: "quiet", body: "We close the barrier." }];
    expect((await weighTexts(parts, "quiet barrier", [], others)).others[0]!.coverage).toBe(1);
  });
});

test("passages that are gone meanwhile are left out", async () => {
  const gone = { ...parts, readPassages: async () => new Map<number, Passage>() };
  expect((await weighTexts(gone, "quiet hours", [], [])).passages).toEqual([]);
});

describe("any message", () => {
  test("has grams and words in common with a passage, from none to all", async () => {
    const shares = async (message: string) =>
      (await weighTexts(parts, message, [], [])).passages.flatMap(({ grams, coverage }) => [grams, coverage]);
    const hostile = [
      ...HOSTILE_TEXTS,
      "\ud800",
      "\udc00\ud83d",
      "ي".repeat(3000),
      "สวัสดี".repeat(500),
      "取消".repeat(1000),
    ];
    for (const message of hostile)
      for (const share of await shares(message)) expect(share).toBeWithin(0, 1.0001);
    await fc.assert(
      fc.asyncProperty(fc.string({ unit: "binary", maxLength: 500 }), async (message) => {
        for (const share of await shares(`${message} quiet`)) expect(share).toBeWithin(0, 1.0001);
      }),
    );
  });

  test("is looked for by a bounded number of words, the rarest, however long it is", () => {
    const message = Array.from({ length: 20_000 }, (_, i) => `word${i} the hours`).join(" ");
    const { terms, units } = readQuestion(INDEX, message);
    expect(terms.length).toBeLessThanOrEqual(192);
    expect(units.length).toBeLessThanOrEqual(96);
    expect(units.map(({ text }) => text)).not.toContain("hours");
  });
});

test.each([
  ["blanks", (length: number) => " ".repeat(length)],
  ["blank lines", (length: number) => " \n".repeat(length / 2)],
  ["initials", (length: number) => "A. ".repeat(length / 3)],
])("a passage of endless %s is read in time that grows with its length, and no faster", async (_, fill) => {
  const weigh = async (length: number) => {
    const endless = passage("Endless", `purple cats ${fill(length)} eat marzipan`);
    const index = SearchIndex.build([{ id: 1, terms: termsOfPassage("Endless", endless.body) }]);
    const readPassages = async () => new Map([[1, endless]]);
    const { question, passages } = await weighTexts(
      { index, readPassages, language: "en" },
      "do purple cats eat marzipan?",
      [],
      [],
    );
    extractAnswer(question, passages[0]!.candidate);
  };
  expect(await growthOf(weigh, 30_000)).toBeLessThan(10);
});

describe("of a table", () => {
  const shown = async (isNarrow: boolean) => {
    const reading = CHILDREN;
    const { question, passages } = await weighTexts({ ...parts, meaningsOf }, "kids", [reading], []);
    const { candidate, sentences } = passages.find(({ id }) => id === 1)!;
    return extractAnswer(question, candidate, { sentence: sentences[0], isNarrow });
  };

  test("the row that answers is shown under its head, with those behind it that there is room for", async () => {
    const text = await shown(false);
    expect(text).toStartWith(
      "Extra – Low season – High season\nChild from 4 to 14 – 4 € – 5 €\nExtra number 0",
    );
    expect(text.length).toBeLessThanOrEqual(400);
  });

  test("that row alone is shown once more", async () => {
    expect(await shown(true)).toBe("Extra – Low season – High season\nChild from 4 to 14 – 4 € – 5 €");
  });
});
