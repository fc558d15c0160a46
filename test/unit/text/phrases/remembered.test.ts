import { expect, test } from "bun:test";

import { remembered } from "../../../../src/text/phrases/known-word.ts";

test("a result is worked out once", () => {
  let calls = 0;
  const lengthOf = remembered((word) => (calls++, word.length));
  expect([lengthOf("hello"), lengthOf("hello"), calls]).toEqual([5, 5, 1]);
});

test("words that are asked for again and again stay, however many others there are", () => {
  const asked: string[] = [];
  const lengthOf = remembered((word) => (asked.push(word), word.length));
  for (let number = 0; number < 20_000; number++) {
    lengthOf(`word ${number}`);
    lengthOf("hello");
  }
  expect(asked.filter((word) => word === "hello")).toHaveLength(1);
  lengthOf("word 0");
  expect(asked.filter((word) => word === "word 0")).toHaveLength(2);
});

test("long words are not kept", () => {
  let calls = 0;
  const lengthOf = remembered((word) => (calls++, word.length));
  const word = "a".repeat(1000);
  expect([lengthOf(word), lengthOf(word), calls]).toEqual([1000, 1000, 2]);
});
