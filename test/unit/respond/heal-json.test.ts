import { describe, expect, test } from "bun:test";

import * as fc from "fast-check";

import { healJson } from "../../../src/respond/heal-json.ts";

describe("healing JSON", () => {
  test.each([
    ['```json\n{"a": 1}\n```', { a: 1 }],
    ['Sure! Here it is: {"a": "}"} Anything else?', { a: "}" }],
    ['{"a": [1, 2,], }', { a: [1, 2] }],
    ["{'a': True, 'b': None}", { a: true, b: null }],
    ['{"a": 1 /* one */}', { a: 1 }],
    ["[{a: 1}]", [{ a: 1 }]],
    ['As [noted] above: {"a": 1}', { a: 1 }],
    ['{"a": 1}\n{"a": 2}', { a: 1 }],
  ])("finds the value in %j", (text, expected) => {
    expect(JSON.parse(healJson(text)!)).toEqual(expected);
  });

  test.each(["", "no JSON here", '{"a": [1, 2', '{"a": "cut of', "}{", "]"])(
    "finds nothing in %j",
    (text) => {
      expect(healJson(text)).toBeUndefined();
    },
  );

  test("leaves what is whole as it is, whatever stands around it", () => {
    const value = fc.oneof(fc.object(), fc.array(fc.jsonValue()));
    const words = fc.string().map((text) => text.replaceAll(/[[\]{}"]/g, ""));
    fc.assert(
      fc.property(value, words, words, (json, before, after) => {
        const text = JSON.stringify(json);
        expect(healJson(before + text + after)).toBe(text);
      }),
    );
  });

  test("is never anything but JSON", () => {
    fc.assert(
      fc.property(
        fc.string({ unit: fc.constantFrom("{", "}", "[", "]", '"', "'", ",", ":", "a", "1", "\\") }),
        (text) => {
          const healed = healJson(text);
          if (healed !== undefined) JSON.parse(healed);
        },
      ),
    );
  });
});
