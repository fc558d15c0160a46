import { expect, test } from "bun:test";

import { chooseExamples, MAX_ENCODED } from "../../../../src/intent/training/fit-sentences.ts";

/** As many examples of each intent as the list says. */
const intentsOf = (counts: readonly number[]) => counts.flatMap((count, k) => Array<number>(count).fill(k));
const chosenOf = (counts: readonly number[], most: number) => {
  const intents = intentsOf(counts);
  const chosen = chooseExamples(intents, counts.length, most);
  return counts.map((_, k) => chosen.filter((i) => intents[i] === k).length);
};

test("all examples are chosen where they are few", () => {
  expect(chooseExamples(intentsOf([3, 0, 2]), 3)).toEqual([0, 1, 2, 3, 4]);
});

test.each([
  [[10, 10, 10], 6, [2, 2, 2]],
  [[100, 3, 100], 23, [10, 3, 10]],
  [[100, 0, 100], 21, [10, 0, 10]],
  [[1, 50], 2, [1, 1]],
])("of %j examples an intent, at most %d are chosen: %j", (counts, most, expected) => {
  expect(chosenOf(counts, most)).toEqual(expected);
});

test("those of an intent are spread over what it has", () => {
  expect(chooseExamples(intentsOf([8, 8]), 2, 8)).toEqual([0, 2, 4, 6, 8, 10, 12, 14]);
});

test("none is chosen where not every intent could have one", () => {
  expect(chooseExamples([0, 1, 2], 3, 2)).toEqual([]);
  expect(chooseExamples(intentsOf(Array(MAX_ENCODED + 1).fill(1)), MAX_ENCODED + 1)).toEqual([]);
});
