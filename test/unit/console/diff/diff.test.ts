import { describe, expect, test } from "bun:test";

import fc from "fast-check";

import { diffLines } from "../../../../src/console/diff/lines.ts";
import { putOnTop } from "../../../../src/console/diff/on-top.ts";

const numbered = (count: number) => Array.from({ length: count }, (_, at) => `line ${at + 1}`).join("\n");

describe("a diff of lines", () => {
  test("shows what changed with three lines around it, and counts the rest", () => {
    const { lines, added, removed } = diffLines(
      numbered(20),
      numbered(20).replace("line 10\n", "line ten\nmore\n"),
    );
    expect({ added, removed }).toEqual({ added: 2, removed: 1 });
    expect(
      lines.map((line) => (line.kind === "skipped" ? line.lines : `${line.kind} ${line.line} ${line.text}`)),
    ).toEqual([
      6,
      "same 7 line 7",
      "same 8 line 8",
      "same 9 line 9",
      "removed 10 line 10",
      "added 10 line ten",
      "added 11 more",
      "same 12 line 11",
      "same 13 line 12",
      "same 14 line 13",
      7,
    ]);
  });

  test("of the same text is nothing but lines left out", () => {
    expect(diffLines(numbered(5), numbered(5))).toEqual({
      lines: [{ kind: "skipped", lines: 5 }],
      added: 0,
      removed: 0,
    });
  });
});

const text = fc
  .array(fc.constantFrom("a", "b", "c", "d"), { maxLength: 12 })
  .map((lines) => lines.join("\n"));

describe("one's own changes on top of another's", () => {
  test("both are there where they touch different lines", () => {
    const base = numbered(9);
    const { text: merged, overruled } = putOnTop(
      base,
      base.replace("line 2", "mine"),
      base.replace("line 8", "theirs"),
    );
    expect(merged).toBe(base.replace("line 2", "mine").replace("line 8", "theirs"));
    expect(overruled).toBe(0);
  });

  test("mine count where both changed the same line, and that is said", () => {
    const base = numbered(5);
    expect(putOnTop(base, base.replace("line 3", "mine"), base.replace("line 3", "theirs"))).toEqual({
      text: base.replace("line 3", "mine"),
      overruled: 1,
    });
  });

  test("is theirs where I changed nothing, and mine where they did not", () => {
    fc.assert(
      fc.property(text, text, (base, other) => {
        expect(putOnTop(base, base, other)).toEqual({ text: other, overruled: 0 });
        expect(putOnTop(base, other, base)).toEqual({ text: other, overruled: 0 });
        expect(putOnTop(base, other, other).text).toBe(other);
      }),
    );
  });
});
