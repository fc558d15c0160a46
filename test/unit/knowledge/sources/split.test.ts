import { describe, expect, test } from "bun:test";

import * as fc from "fast-check";

import type { Block } from "../../../../src/knowledge/sources/document.ts";
import {
  countWords,
  sentencesOf,
  splitSections,
} from "../../../../src/knowledge/sources/split/split-sections.ts";

const text = (...lines: string[]): Block => ({ kind: "text", lines });
const words = (count: number, word = "word") => `${word} `.repeat(count).trim();
const bodiesOf = (...blocks: Block[]) => splitSections([{ heading: ["H"], blocks }]).map(({ body }) => body);
const sizesOf = (...blocks: Block[]) => bodiesOf(...blocks).map(countWords);

describe("passages", () => {
  test("join blocks until they have 80 words", () => {
    expect(sizesOf(...Array.from({ length: 7 }, () => text(words(30))))).toEqual([90, 90, 30]);
  });

  test("never have more than 250 words", () => {
    expect(sizesOf(text(words(70)), text(words(240)), text(words(10)))).toEqual([70, 240, 10]);
    expect(sizesOf(text(words(70)), text(words(180)), text(words(1)))).toEqual([250, 1]);
  });

  test("stay under their heading", () => {
    const sections = [
      { heading: ["A"], anchor: "a", blocks: [text("One.")] },
      { heading: ["A", "B"], blocks: [] },
      { heading: ["A", "B", "C"], blocks: [text("Two.")] },
    ];
    expect(splitSections(sections)).toEqual([
      { headingPath: ["A"], anchor: "a", body: "One." },
      { headingPath: ["A", "B", "C"], body: "Two." },
    ]);
  });

  test("are cut at sentences every 150 words, and the last one is repeated", () => {
    const sentences = Array.from({ length: 30 }, (_, index) => `Sentence ${index} ${words(12)}.`);
    const bodies = bodiesOf(text(sentences.join(" ")));
    expect(bodies.map(countWords)).toEqual([140, 140, 140, 42]);
    expect(bodies[1]!.startsWith("Sentence 9 ")).toBe(true);
    expect(bodies[0]!.endsWith(sentences[9]!)).toBe(true);
  });

  test("keep a list with what introduces it", () => {
    const list: Block = { kind: "list", lines: ["- one", "- two"] };
    expect(bodiesOf(text(words(90)), list)).toEqual([`${words(90)}\n\n- one\n- two`]);
  });

  test("cut a long list at its entries", () => {
    const list: Block = { kind: "list", lines: Array.from({ length: 30 }, () => `- ${words(10)}`) };
    expect(bodiesOf(list).map((body) => body.split("\n").length)).toEqual([15, 15]);
  });

  test("cut what has no sentences, and leave out what has no words", () => {
    expect(sizesOf(text(words(1000))).every((size) => size <= 150)).toBe(true);
    expect(sizesOf(text("中".repeat(1000))).every((size) => size <= 250)).toBe(true);
    expect(bodiesOf(text(`See ${"x".repeat(100_000)} here`))).toEqual(["See … here"]);
  });

  test("hold every word, and none has more than 250", () => {
    const block = fc.record({
      kind: fc.constantFrom("text" as const, "list" as const, "table" as const),
      lines: fc.array(fc.lorem({ maxCount: 400 }), { minLength: 1, maxLength: 4 }),
    });
    fc.assert(
      fc.property(fc.array(block, { maxLength: 6 }), (blocks) => {
        const bodies = bodiesOf(...blocks);
        const own = new Set(blocks.flatMap(({ lines }) => lines.flatMap((line) => line.split(" "))));
        const kept = new Set(bodies.flatMap((body) => body.split(/\s/)));
        expect([...own].filter((word) => !kept.has(word))).toEqual([]);
        expect(bodies.filter((body) => countWords(body) > 250)).toEqual([]);
      }),
      { numRuns: 50 },
    );
  });
});

describe("sentences", () => {
  test.each([
    ["Ask Dr. Okafor today. She knows more.", ["Ask Dr. Okafor today.", "She knows more."]],
    ["Ask Dr. Okafor today. Yes.", ["Ask Dr. Okafor today. Yes."]],
    [
      "It costs $4.90 at most. No. 5 is free of charge.",
      ["It costs $4.90 at most.", "No. 5 is free of charge."],
    ],
    [
      "Das gilt z. B. für Zelte. Das ist alles für heute.",
      ["Das gilt z. B. für Zelte.", "Das ist alles für heute."],
    ],
    [
      "您可以在收到后六十天内退货。退款将退回到您的付款账户。",
      ["您可以在收到后六十天内退货。", "退款将退回到您的付款账户。"],
    ],
    ["", []],
  ])("of %s", (paragraph, sentences) => expect(sentencesOf(paragraph)).toEqual(sentences));

  test("of Thai end at a space", () => {
    const sentences = sentencesOf(`${"สวัสดี".repeat(10)} `.repeat(6).trim());
    expect(sentences.length).toBeGreaterThan(2);
    expect(sentences.every((sentence) => sentence.length < 200)).toBe(true);
  });
});

test.each([
  ["two words", 2],
  ["it's 4.90 – “free”", 5],
  ["für Änderungen", 2],
  ["退款将退回", 3],
  ["", 0],
])("counts the words of %s", (line, count) => expect(countWords(line)).toBe(count));
