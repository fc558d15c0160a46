import { expect, test } from "bun:test";

import { clusterTexts } from "../../../../src/intent/evaluation/cluster.ts";

const TEXTS = [
  "do you rent out tents",
  "what is your favourite colour",
  "do you rent tents to hikers",
  "Do you rent out tents?",
  "do you rent out a tent",
  "which colour is your favourite",
  "qwertz",
  "rent tents",
];

function textsOf({ members }: { members: readonly number[] }): string[] {
  return members.map((i) => TEXTS[i]!);
}

test("groups texts that say much the same, largest group first", () => {
  const [tents, colours, ...single] = clusterTexts(TEXTS);
  expect(textsOf(tents!).toSorted()).toEqual([
    "do you rent out a tent",
    "do you rent out tents",
    "do you rent tents to hikers",
    "rent tents",
  ]);
  expect(textsOf(colours!)).toHaveLength(2);
  expect(single.flatMap(textsOf)).toEqual(["qwertz"]);
});

test("counts every text, and lists those that differ in case and marks alone once", () => {
  const [tents] = clusterTexts(TEXTS);
  expect(tents).toMatchObject({ count: 5 });
  expect(tents?.members).toHaveLength(4);
});

test("puts every text into one group, also one without a word", () => {
  const texts = ["", "???", "!!!", "🙂", "你好", "hello"];
  const clusters = clusterTexts(texts);
  expect(clusters.reduce((sum, { count }) => sum + count, 0)).toBe(texts.length);
  expect(clusters.flatMap(({ members }) => members).toSorted((a, b) => a - b)).toEqual([0, 1, 2, 3, 4, 5]);
});

test("of no texts makes no groups", () => {
  expect(clusterTexts([])).toEqual([]);
});
