import { describe, expect, test } from "bun:test";

import { diffDocuments } from "../../../../src/store/changes/field-changes.ts";

const fieldsOf = (before: object, after: object) => diffDocuments(before, after).fields;

describe("the difference of two documents", () => {
  test.each([
    ["nothing", { a: 1, b: { c: [1] } }, { b: { c: [1] }, a: 1 }, []],
    ["a value", { name: "old" }, { name: "new" }, [{ field: "name", before: "old", after: "new" }]],
    ["what came", {}, { cap: 5 }, [{ field: "cap", after: 5 }]],
    ["what went", { cap: 5 }, {}, [{ field: "cap", before: 5 }]],
    [
      "a field within",
      { theme: { colour: "red", size: 1 } },
      { theme: { colour: "blue", size: 1 } },
      [{ field: "theme.colour", before: "red", after: "blue" }],
    ],
    [
      "items of a list, whatever their order",
      { deny: ["a", "b"] },
      { deny: ["c", "a"] },
      [{ field: "deny", removed: ["b"], added: ["c"] }],
    ],
    [
      "order alone",
      { l: ["a", "b"] },
      { l: ["b", "a"] },
      [{ field: "l", before: ["a", "b"], after: ["b", "a"] }],
    ],
    // An empty allow list allows nothing, and none allows everything.
    ["an empty list instead of none", {}, { allow: [] }, [{ field: "allow", after: [] }]],
    ["a list instead of none", {}, { allow: ["a"] }, [{ field: "allow", after: ["a"] }]],
    [
      "what has a name, by its name",
      { intents: [{ name: "a", examples: ["one"] }, { name: "b" }] },
      { intents: [{ name: "c" }, { name: "a", examples: ["one", "two"] }] },
      [
        { field: "intents[a].examples", added: ["two"] },
        { field: "intents[b]", before: { name: "b" } },
        { field: "intents[c]", after: { name: "c" } },
      ],
    ],
    [
      "the order of what has a name",
      { intents: [{ name: "a" }, { name: "b" }] },
      { intents: [{ name: "b" }, { name: "a" }] },
      [{ field: "intents (order)", before: ["a", "b"], after: ["b", "a"] }],
    ],
    [
      "a field with the name of a method",
      {},
      JSON.parse('{"constructor":1}'),
      [{ field: "constructor", after: 1 }],
    ],
  ])("tells %s", (_, before, after, fields) => {
    expect(fieldsOf(before, after)).toEqual(fields);
  });

  test("cuts long values, and says so", () => {
    const [change] = fieldsOf({ text: "short" }, { text: "x".repeat(10_000) });
    expect(change).toEqual({ field: "text", before: "short", after: `${"x".repeat(4000)}…`, isCut: true });
    const examples = Array.from({ length: 500 }, (_, n) => `example number ${n}`);
    const [list] = fieldsOf({ l: ["first"] }, { l: ["first", ...examples] });
    expect(list!.isCut).toBe(true);
    expect(list!.added!.length).toBeWithin(100, 400);
    expect(list!.added).toEqual(examples.slice(0, list!.added!.length));
  });

  test("takes no more than 64 KiB, and counts what is left out", () => {
    const wide = Object.fromEntries(Array.from({ length: 100 }, (_, n) => [`field${n}`, "x".repeat(3000)]));
    const { fields, omittedFields } = diffDocuments({}, wide);
    expect(JSON.stringify(fields).length).toBeLessThan(65 * 1024);
    expect(fields.length).toBeGreaterThan(15);
    expect(fields.length + omittedFields).toBe(100);
  });
});
