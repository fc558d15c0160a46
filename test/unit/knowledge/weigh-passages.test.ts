import { describe, expect, test } from "bun:test";

import { extractAnswer } from "../../../src/knowledge/extract.ts";
import { termsOfPassage } from "../../../src/knowledge/packed-terms.ts";
import { type Passage, titleOf } from "../../../src/knowledge/passage.ts";
import { SearchIndex } from "../../../src/knowledge/search-index.ts";
import { weighTexts } from "../../../src/knowledge/weigh-passages.ts";

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
/** A meaning of two dimensions: of children, and of anything else. */
const meaningOf = async (text: string) =>
  /child|kids/i.test(text) ? Float32Array.of(1, 0) : Float32Array.of(0, 1);

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
    const reading = Float32Array.of(1, 0);
    const { passages } = await weighTexts({ ...parts, meaningOf }, "kids", [reading], []);
    const [best] = passages.toSorted((left, right) => right.nearness[0]! - left.nearness[0]!);
    expect(best).toMatchObject({ id: 1, sentences: [2] });
  });

  test("stand beside other texts, such as what an intent answers", async () => {
    const others = [{ title: "quiet", body: "We close the barrier." }];
    expect((await weighTexts(parts, "quiet barrier", [], others)).others[0]!.coverage).toBe(1);
  });
});

describe("of a table", () => {
  const shown = async (isNarrow: boolean) => {
    const reading = Float32Array.of(1, 0);
    const { question, passages } = await weighTexts({ ...parts, meaningOf }, "kids", [reading], []);
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
