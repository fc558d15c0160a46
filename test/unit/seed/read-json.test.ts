import { describe, expect, test } from "bun:test";

import * as fc from "fast-check";

import { childPointer, offsetOf } from "../../../src/seed/read-document.ts";
import { readJson } from "../../../src/seed/read-json.ts";

describe("strict JSON", () => {
  test.each([
    ['{"a": 1,}', 7, "not valid JSON: a comma too many"],
    ["{'a': 1}", 1, "not valid JSON: `'` stands where a name in quotes should be"],
    ['{"a" 1}', 5, "not valid JSON: `1` stands where `:` should be"],
    ['{"a": 01}', 7, "not valid JSON: `1` stands where `,` or `}` should be"],
    ['{"a": undefined}', 6, "not valid JSON: `u` stands where a value should be"],
    ['["a', 1, 'not valid JSON: this text has no closing `"`'],
    ['["a\nb"]', 1, "not valid JSON: a text may not span lines, and `\\` begins an escape such as `\\n`"],
    ['["\\x"]', 1, "not valid JSON: a text may not span lines, and `\\` begins an escape such as `\\n`"],
    ["[1", 2, "not valid JSON: the text ends where `,` or `]` should be"],
    ["{} {}", 3, "one JSON value is enough; remove what follows it"],
    ['{"a": 1, "a": 2}', 9, "the field `a` is given twice; keep one"],
    ["[1e999]", 1, "this number is too large"],
    ['{"__proto__": 1}', 1, "`__proto__` cannot be a field's name"],
    ["// no\n{}", 0, "not valid JSON: `/` stands where a value should be"],
  ])("%j is refused at %p", (text, offset, message) => {
    expect(readJson(text)[0]?.faults).toEqual([{ offset, message }]);
  });

  test("is read as JSON.parse reads it, with the offset of every value", () => {
    fc.assert(
      fc.property(
        fc.jsonValue({ noUnicodeString: false }),
        fc.constantFrom(undefined, 2, "\t"),
        (value, indent) => {
          const text = JSON.stringify(value, undefined, indent);
          const [document] = readJson(text);
          if (document === undefined || document.faults.length > 0) return;
          expect(document.value).toEqual(JSON.parse(text));
          for (const [key, child] of Object.entries(Object(value) as object)) {
            const start = offsetOf(document, childPointer("", key));
            const rendered = JSON.stringify(child, undefined, indent);
            expect(text.slice(start, start + 1)).toBe(rendered.charAt(0));
          }
        },
      ),
    );
  });
});
