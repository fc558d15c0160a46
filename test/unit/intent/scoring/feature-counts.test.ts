import { expect, test } from "bun:test";

import fc from "fast-check";

import { FeatureCounts } from "../../../../src/intent/scoring/weighed-words.ts";

const features = new FeatureCounts();

function countsOf(rows: readonly number[]): Map<number, number> {
  features.begin(rows.length);
  for (const row of rows) features.add(row);
  return new Map(Array.from({ length: features.length }, (_, i) => [features.rows[i]!, features.counts[i]!]));
}

function countedOneByOne(rows: readonly number[]): Map<number, number> {
  const counts = new Map<number, number>();
  for (const row of rows) counts.set(row, (counts.get(row) ?? 0) + 1);
  return counts;
}

test("features are counted, each at the place where it was first met, one text after the other", () => {
  const rows = fc.array(fc.oneof(fc.integer({ min: 0, max: 20 }), fc.integer({ min: 0, max: 2 ** 24 })));
  fc.assert(fc.property(rows, (some) => expect([...countsOf(some)]).toEqual([...countedOneByOne(some)])));
});

test("as many features as the memory had no room for are counted too", () => {
  const rows = Array.from({ length: 5000 }, (_, i) => i % 3000);
  expect([...countsOf(rows)]).toEqual([...countedOneByOne(rows)]);
});
