import { describe, expect, test } from "bun:test";

import { stretchesBetweenSeams } from "../../../../src/governance/suspicion/seams.ts";
import { wordClassifier } from "../../../support/word-classifier.ts";

const scanner = wordClassifier({ any: { any: 1 } });

function parts(text: string): string[] {
  const scan = scanner.scan(text);
  return stretchesBetweenSeams(scan).map(([from, to]) =>
    Array.from({ length: to - from }, (_, i) => scan.unit(from + i)).join(" "),
  );
}

describe("a message is cut", () => {
  test.each([
    ["one two, three four", "one two", "three four"],
    ["one two。three four", "one two", "three four"],
    ["one two — three four", "one two", "three four"],
    ["one two 👍 three four", "one two", "three four"],
    ["one two and three four", "one two", "three four"],
    ["one two и three four", "one two", "three four"],
    ["(one two) three four", "one two", "three four"],
  ])("%s", (text, first, second) => {
    expect(parts(text)).toContain(first);
    expect(parts(text)).toContain(second);
  });
});

test("a message without seams has no parts", () => {
  expect(parts("one two three")).toEqual([]);
});

test("signs and joints alone are no parts", () => {
  expect(parts("... and ...").filter((part) => !/\w{4}/.test(part))).toEqual([]);
  expect(parts("?!")).toEqual([]);
});

test("beyond some seams, more of them make no more parts", () => {
  expect(parts("a, ".repeat(2000))).toHaveLength(parts("a, ".repeat(200)).length);
});
