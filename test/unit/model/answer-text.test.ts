import { describe, expect, test } from "bun:test";

import * as fc from "fast-check";

import { AnswerText } from "../../../src/model/answer-text.ts";

function collect(pieces: readonly string[]) {
  const answer = new AnswerText();
  const shown = [...pieces.map((piece) => answer.push(piece)), answer.finish()];
  return { shown: shown.join(""), text: answer.text };
}

describe("the text of an answer", () => {
  test.each([
    ["Hello.", "Hello."],
    ["\n\n Hello. ", "Hello. "],
    ["<think>let me see</think>\n\nHello.", "Hello."],
    ["<think>one</think><think>two</think>Hello.", "Hello."],
    ["<think>never ends", ""],
    ["<th", "<th"],
    ["<thanks>", "<thanks>"],
    ["Tags such as <think> stay</think>.", "Tags such as <think> stay</think>."],
    ["   ", ""],
    ["a\0b", "a\uFFFDb"],
    ["\uD83D\uDE00", "\uD83D\uDE00"],
    ["\uD83D", "\uFFFD"],
    ["\uDE00\uD83D!", "\uFFFD\uFFFD!"],
    ["<think>\0</think>\uD83D", "\uFFFD"],
  ])("%j is %j", (sent, expected) => {
    expect(collect([sent])).toEqual({ shown: expected, text: expected });
  });

  test("is the same however it is cut into pieces, and all of it is shown", () => {
    const fragment = fc.constantFrom(
      "<think>",
      "</think>",
      "<",
      "th",
      " ",
      "\n",
      "word",
      ">",
      "\0",
      "\uD83D",
      "\uDE00",
    );
    fc.assert(
      fc.property(
        fc.array(fragment),
        fc.infiniteStream(fc.integer({ min: 1, max: 5 })),
        (fragments, sizes) => {
          const whole = fragments.join("");
          const pieces: string[] = [];
          for (let rest = whole; rest !== ""; rest = rest.slice(pieces.at(-1)!.length)) {
            pieces.push(rest.slice(0, sizes.next().value));
          }
          const { shown, text } = collect(pieces);
          expect(shown).toBe(text);
          expect(text).toBe(collect([whole]).text);
          expect(text.isWellFormed()).toBeTrue();
          expect(text).not.toContain("\0");
        },
      ),
    );
  });
});
