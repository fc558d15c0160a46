import { describe, expect, test } from "bun:test";
import { join } from "node:path";

import fc from "fast-check";
import { parse } from "yaml";

import {
  addExamples,
  addIntent,
  addTest,
  editBot,
  removeIntent,
  setField,
  setPattern,
} from "../../../../src/console/yaml/bot-edits.ts";
import { isWithin, linesOf } from "../../../../src/console/yaml/place.ts";

const ACME = await Bun.file(join(import.meta.dir, "../../../../data/acme-support.yaml")).text();

const SMALL = `# A bot
id: small # never changes
name: "Small"   # shown
allowedDomains: [a.example, "*.a.example"] # where

rateLimit: { capacity: 3, perMinute: 5 }
capabilityProfile:
  # what it may
  allow:
    - orders.* # all of them
    - help
  deny:
    - orders.cancel # by phone only
  refusals:
    DENY_LIST: >-
      Not here.
      Call us.

intents:
  - name: orders.status # first
    examples:
      - where is my order
      # - an old example
    responses: ["It is on its way."]

  - name: help
    examples: []
# the end
`;

const comments = (text: string) => text.match(/(?:^|\s)#.*$/gm) ?? [];

/** The text that was put in, where nothing else changed. */
function inserted(before: string, after: string): string {
  let from = 0;
  while (from < before.length && before[from] === after[from]) from++;
  const length = after.length - before.length;
  expect(after.slice(0, from) + after.slice(from + length)).toBe(before);
  return after.slice(from, from + length);
}

describe("a form that writes into a bot's YAML", () => {
  test("sets a field and leaves every other byte, its quotes and its comment included", () => {
    expect(setField(SMALL, ["name"], "Tiny")).toBe(SMALL.replace('"Small"', '"Tiny"'));
    expect(setField(SMALL, ["rateLimit", "perMinute"], 30)).toBe(
      SMALL.replace("perMinute: 5", "perMinute: 30"),
    );
    expect(setField(SMALL, ["allowedDomains", 1], "b.example")).toBe(
      SMALL.replace('"*.a.example"', "b.example"),
    );
  });

  test("writes folded text folded again", () => {
    const text = setField(SMALL, ["capabilityProfile", "refusals", "DENY_LIST"], "Not in this chat.")!;
    expect(text).toBe(SMALL.replace("Not here.\n      Call us.", "Not in this chat."));
  });

  test("puts a new field where the documentation shows it", () => {
    const text = setField(SMALL, ["welcomeMessage"], "Hello: you")!;
    expect(inserted(SMALL, text)).toContain('welcomeMessage: "Hello: you"');
    expect(text.indexOf("welcomeMessage")).toBeLessThan(text.indexOf("rateLimit"));
  });

  test("makes the fields that a new one stands in", () => {
    const text = setField(SMALL, ["theme", "colors", "accent"], "#123456")!;
    expect(parse(text).theme).toEqual({ colors: { accent: "#123456" } });
    inserted(SMALL, text);
  });

  test("an emptied field goes, and what it alone stood in", () => {
    const text = setField(SMALL, ["capabilityProfile", "refusals", "DENY_LIST"], "")!;
    expect(parse(text).capabilityProfile).not.toHaveProperty("refusals");
    expect(comments(text)).toEqual(comments(SMALL));
  });

  test("the hand-off stays switched on when the last that it says is taken away", () => {
    const hours = "handoff:\n  hours: { timezone: UTC, open: [Mo 08:00-09:00] }";
    const email = "handoff: { email: team@small.example }";
    const withHandoff = (handoff: string) => SMALL.replace("\nintents:", `\n${handoff} # people\nintents:`);
    const without = withHandoff("handoff: {}");
    expect(parse(setField(withHandoff(hours), ["handoff", "hours"], undefined)!).handoff).toEqual({});
    expect(setField(withHandoff(email), ["handoff", "email"], "")).toBe(without);
    expect(setField(withHandoff(email), ["handoff", "live"], undefined)).toBe(withHandoff(email));
    expect(parse(setField(without, ["handoff"], undefined)!)).not.toHaveProperty("handoff");
  });

  test.each(["handoff: true", "handoff: null", "handoff:", "handoff: no fields"])(
    "fields take the place of what has none, as in %s",
    (handoff) => {
      for (const comment of ["", " # people"]) {
        const before = SMALL.replace("\nintents:", `\n${handoff}${comment}\nintents:`);
        const text = setField(before, ["handoff", "hours", "timezone"], "UTC")!;
        expect(parse(text).handoff).toEqual({ hours: { timezone: "UTC" } });
        expect(comments(text)).toEqual(comments(before));
      }
    },
  );

  test("adds an intent after the others, with an empty line where they have one", () => {
    const text = addIntent(SMALL, {
      name: "invoice",
      examples: ["an invoice: please"],
      responses: ["Here\nit is"],
    })!;
    expect(inserted(SMALL, text)).toContain("- name: invoice\n    examples:");
    expect(text).toContain("examples: []\n\n  - name: invoice");
    expect(parse(text).intents.at(-1)).toEqual({
      name: "invoice",
      examples: ["an invoice: please"],
      responses: ["Here\nit is"],
    });
  });

  test("adds examples to an intent, those that it has left out", () => {
    const text = addExamples(SMALL, "orders.status", ["where is my order", "has it left", "has it left"])!;
    expect(text).toBe(SMALL.replace("- where is my order\n", "- where is my order\n      - has it left\n"));
    expect(parse(addExamples(SMALL, "help", ["help me"])!).intents[1].examples).toEqual(["help me"]);
    expect(addExamples(SMALL, "nowhere", ["x"])).toBeUndefined();
  });

  test("removes an intent and keeps the comments of the others", () => {
    const text = removeIntent(SMALL, "help")!;
    expect(parse(text).intents).toHaveLength(1);
    expect(comments(text)).toEqual(comments(SMALL));
  });

  test("begins the list of tests, and adds no test twice", () => {
    const one = addTest(SMALL, { utterance: "the weather", decision: "no_intent_match" })!;
    expect(parse(one).tests).toEqual([{ utterance: "the weather", decision: "no_intent_match" }]);
    inserted(SMALL, one);
    expect(addTest(one, { utterance: "the weather", intent: "help" })).toBe(one);
  });

  test("an emptied allow list stays and allows nothing; an emptied deny list goes", () => {
    const none = ["orders.*", "help"].reduce(
      (text, pattern) => setPattern(text, "allow", pattern, false)!,
      SMALL,
    );
    expect(parse(none).capabilityProfile.allow).toEqual([]);
    expect(parse(setPattern(SMALL, "deny", "orders.cancel", false)!).capabilityProfile).not.toHaveProperty(
      "deny",
    );
    expect(parse(setPattern(none, "allow", "help", true)!).capabilityProfile.allow).toEqual(["help"]);
  });

  test("keeps the line breaks of Windows", () => {
    const text = addExamples(SMALL.replaceAll("\n", "\r\n"), "orders.status", ["has it left"])!;
    expect(text).not.toMatch(/[^\r]\n/);
  });

  test("a text with a mistake is not written to", () => {
    expect(setField("id: [", ["name"], "x")).toBeUndefined();
    expect(setField("a: *nowhere", ["name"], "x")).toBeUndefined();
  });

  test("what an alias shows is never written to in silence", () => {
    const text = "a: &words [x]\nb: *words\n";
    const edited = editBot(text, { kind: "append", path: ["b"], values: ["y"] });
    expect(edited === undefined || parse(edited).a).toBeOneOf([true, ["x"]]);
  });

  test("says which lines a place takes up", () => {
    expect(linesOf(SMALL, ["capabilityProfile", "deny", 0])).toEqual({ from: 13, to: 13 });
    expect(linesOf(SMALL, ["intents", 0])).toEqual({ from: 20, to: 24 });
    expect(linesOf(SMALL, ["intents", 9])).toBeUndefined();
  });

  test("knows at which of several fields of a line a mistake is", () => {
    const at = (column: number) =>
      (["capacity", "perMinute"] as const).filter((field) =>
        isWithin(SMALL, ["rateLimit", field], { line: 6, column }),
      );
    const written = SMALL.split("\n")[5]!;
    expect(at(written.indexOf("3") + 1)).toEqual(["capacity"]);
    expect(at(written.indexOf("perMinute") + 1)).toEqual(["perMinute"]);
    expect(isWithin(SMALL, ["rateLimit", "capacity"], { line: 6 })).toBe(true);
    expect(isWithin(SMALL, ["rateLimit", "capacity"], { line: 5 })).toBe(false);
    expect(isWithin(SMALL, ["intents", 9], { line: 6, column: 1 })).toBe(false);
  });
});

/** Text as visitors and operators write it: with what YAML gives a meaning, and with lines of their own. */
const prose = fc.oneof(
  fc.string({ minLength: 1, maxLength: 40, unit: "grapheme" }),
  fc.constantFrom(
    "yes",
    "- x",
    "# no comment",
    "a: b",
    "'",
    '"',
    "{}",
    "[x]",
    "1e3",
    "null",
    "two\nlines",
    " x ",
    "@",
    "%",
  ),
);
const intents = parse(ACME).intents.map((intent: { name: string }) => intent.name) as string[];
const anIntent = fc.constantFrom(...intents);
const additions = fc.oneof(
  fc.tuple(anIntent, fc.array(prose, { minLength: 1, maxLength: 3 })).map(
    ([name, examples]) =>
      (text: string) =>
        addExamples(text, name, examples),
  ),
  prose.map(
    (utterance) => (text: string) => addTest(text, { utterance, decision: "no_intent_match" as const }),
  ),
  fc.tuple(prose, prose).map(
    ([example, answer]) =>
      (text: string) =>
        addIntent(text, { name: "a.new_one", examples: [example], responses: [answer] }),
  ),
  fc
    .constantFrom("smalltalk.*", "a", "b.*")
    .map((pattern) => (text: string) => setPattern(text, "deny", pattern, true)),
);

describe("any edits", () => {
  test("additions leave every line of the text, in its order", () => {
    fc.assert(
      fc.property(fc.array(additions, { minLength: 1, maxLength: 4 }), (edits) => {
        let text = ACME;
        for (const edit of edits) text = edit(text)!;
        const lines = text.split("\n");
        let at = 0;
        for (const line of ACME.split("\n")) {
          at = lines.indexOf(line, at) + 1;
          expect(at).toBeGreaterThan(0);
        }
      }),
      { numRuns: 60 },
    );
  });

  test("comments survive any field that is set, and it reads as what was set", () => {
    const paths = [
      ["name"],
      ["welcomeMessage"],
      ["capabilityProfile", "refusals", "DENY_LIST"],
      ["theme", "title"],
    ];
    fc.assert(
      fc.property(fc.constantFrom(...paths), prose, (path, value) => {
        const text = setField(ACME, path, value)!;
        expect(path.reduce((found, key) => found[key], parse(text))).toBe(value);
        expect(comments(text)).toEqual(expect.arrayContaining(comments(ACME)));
      }),
      { numRuns: 60 },
    );
  });

  test("removing intents leaves the others as they were", () => {
    fc.assert(
      fc.property(anIntent, (name) => {
        const left = parse(removeIntent(ACME, name)!).intents;
        expect(left).toEqual(parse(ACME).intents.filter((intent: { name: string }) => intent.name !== name));
      }),
      { numRuns: 20 },
    );
  });
});
