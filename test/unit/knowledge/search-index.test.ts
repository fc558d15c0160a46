import { describe, expect, test } from "bun:test";

import * as fc from "fast-check";

import { termsOfPassage } from "../../../src/knowledge/packed-terms.ts";
import { type IndexedPassage, SearchIndex } from "../../../src/knowledge/search-index.ts";
import { termsOf } from "../../../src/knowledge/terms.ts";

const passage = (id: number, title: string, body: string): IndexedPassage => ({
  id,
  terms: termsOfPassage(title, body),
});

const SHOP = [
  passage(1, "Returns", "Send it back within thirty days. We pay the money back."),
  passage(2, "Delivery", "Parcels take two days. Express parcels arrive tomorrow."),
  passage(3, "Payment", "Pay by card, by invoice or in cash."),
];

const idsOf = (index: SearchIndex, text: string) => index.search(termsOf(text), 10).map(({ id }) => id);

describe("an index", () => {
  test("finds the passage that holds the words, and none without them", () => {
    const index = SearchIndex.build(SHOP);
    expect(idsOf(index, "express parcels")).toEqual([2]);
    expect(idsOf(index, "when do I get my money back?")).toEqual([1]);
    expect(idsOf(index, "elephants")).toEqual([]);
  });

  test("prefers the passage whose title says it", () => {
    const index = SearchIndex.build([
      passage(1, "Opening hours", "Payment is at the desk."),
      passage(2, "Payment", "It is at the desk."),
    ]);
    expect(idsOf(index, "payment")).toEqual([2, 1]);
  });

  test("of nothing finds nothing", () => {
    const index = SearchIndex.build([]);
    expect(idsOf(index, "payment")).toEqual([]);
    expect(index.rarenessOf(1)).toBeFinite();
  });

  test("gives passages that fit alike in the order of their ids", () => {
    const alike = [7, 3, 9, 5].map((id) => passage(id, "Same", "the very same text"));
    expect(idsOf(SearchIndex.build(alike), "same text")).toEqual([3, 5, 7, 9]);
  });

  test("gives no more than are asked for, the best ones", () => {
    const index = SearchIndex.build(
      Array.from({ length: 50 }, (_, id) => passage(id, "Title", `${"card ".repeat(id % 7)} other words`)),
    );
    const hits = index.search(termsOf("card"), 50);
    expect(index.search(termsOf("card"), 5)).toEqual(hits.slice(0, 5));
    expect(hits.map(({ score }) => score)).toEqual(hits.map(({ score }) => score).toSorted((a, b) => b - a));
  });

  test("replaces a passage that is added again", () => {
    const index = SearchIndex.build(SHOP);
    index.add(passage(2, "Delivery", "Bikes bring it."));
    expect(idsOf(index, "parcels")).toEqual([]);
    expect(idsOf(index, "bikes")).toEqual([2]);
    expect(index.size).toBe(3);
  });

  test("says whether there was a passage to remove", () => {
    const index = SearchIndex.build(SHOP);
    expect([index.remove(2), index.remove(2), index.remove(99)]).toEqual([true, false, false]);
    expect([...index.ids()]).toEqual([1, 3]);
  });

  test("is worn when more than a tenth has changed, if that is many", () => {
    const index = SearchIndex.build(Array.from({ length: 3000 }, (_, id) => passage(id, "", `text ${id}`)));
    for (let id = 0; id < 250; id++) index.remove(id);
    expect(index.isWorn).toBe(false);
    for (let id = 250; id < 290; id++) index.remove(id);
    expect(index.isWorn).toBe(true);
  });
});

describe("an index that was changed", () => {
  const word = fc.constantFrom(
    "pay",
    "card",
    "return",
    "money",
    "parcel",
    "days",
    "the",
    "of",
    "取消",
    "สวัสดี",
  );
  const text = fc.array(word, { maxLength: 8 }).map((words) => words.join(" "));
  const added = fc.record({ id: fc.integer({ min: 0, max: 12 }), title: text, body: text });
  const change = fc.oneof(
    added.map((one) => ({ kind: "add" as const, ...one })),
    fc.record({ kind: fc.constant("remove" as const), id: fc.integer({ min: 0, max: 12 }) }),
    fc.record({ kind: fc.constant("search" as const), text }),
  );

  test("finds and scores like one that is made anew", () => {
    const first = fc.uniqueArray(added, { selector: ({ id }) => id, maxLength: 8 });
    fc.assert(
      fc.property(first, fc.array(change, { maxLength: 20 }), text, (start, changes, query) => {
        const kept = new Map(start.map(({ id, title, body }) => [id, passage(id, title, body)]));
        const index = SearchIndex.build([...kept.values()]);
        for (const step of changes) {
          if (step.kind === "search") {
            index.search(termsOf(step.text), 5);
          } else if (step.kind === "remove") {
            kept.delete(step.id);
            index.remove(step.id);
          } else {
            kept.set(step.id, passage(step.id, step.title, step.body));
            index.add(kept.get(step.id)!);
          }
        }
        const anew = SearchIndex.build([...kept.values()].toSorted((a, b) => a.id - b.id));
        expect(index.search(termsOf(query), 20)).toEqual(anew.search(termsOf(query), 20));
        expect(index.size).toBe(anew.size);
        for (const hash of termsOf(query)) expect(index.rarenessOf(hash)).toBe(anew.rarenessOf(hash));
      }),
      { numRuns: 500 },
    );
  });
});
