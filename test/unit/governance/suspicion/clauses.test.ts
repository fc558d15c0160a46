import { describe, expect, test } from "bun:test";

import { findDeniedClause } from "../../../../src/governance/suspicion/clauses.ts";
import { wordClassifier } from "../../../support/word-classifier.ts";

const classifier = wordClassifier({
  track: { orders: 0.9 },
  order: { orders: 0.9 },
  my: { orders: 0.3, account: 0.3 },
  delete: { account: 0.9 },
  account: { account: 0.9 },
});
const standings = {
  allowed: [classifier.intents.findIndex((name) => name === "orders")],
  denied: [classifier.intents.findIndex((name) => name === "account")],
};
const search = (text: string) =>
  findDeniedClause(classifier.scan(text), standings, classifier.intents.length);

describe("a denied clause", () => {
  test.each([
    "track my order and delete my account",
    "delete my account, track my order",
    "track my order zzz delete my account",
    "track my order delete my account track my order",
  ])("leads in: %s", (text) => {
    const honest = search("track my order zzz track my order")!;
    const found = search(text)!;
    expect(Math.max(found.anywhere, found.atSeams)).toBeGreaterThan(1);
    expect(found.anywhere).toBeGreaterThan(honest.anywhere + 1);
  });

  test("is found where it stands", () => {
    const found = search("track my order, delete my account")!;
    expect(found.intent).toBe(standings.denied[0]!);
    expect(found.from).toBeGreaterThanOrEqual(3);
  });

  test("leads as much between two requests as after them", () => {
    const between = search("track my order delete my account track my order")!;
    const after = search("track my order track my order delete my account")!;
    expect(between.anywhere).toBeCloseTo(after.anywhere);
  });

  test("shows more between seams than it would anywhere", () => {
    expect(search("track my order and delete my account")!.atSeams).toBeGreaterThan(0);
    expect(search("track my order zzz delete my account")!.atSeams).toBe(-Infinity);
  });
});

test("a message of one word has no clauses", () => {
  expect(search("delete")).toBeUndefined();
});

test("nothing is looked for where nothing is denied", () => {
  const scan = classifier.scan("delete my account");
  expect(findDeniedClause(scan, { allowed: [0, 1], denied: [] }, 2)).toBeUndefined();
});

describe("a message twice as long takes at most twice the work", () => {
  const scoringsOf = (text: string): number => {
    const scan = classifier.scan(text);
    let scorings = 0;
    const score: typeof scan.score = (from, to, scores) => {
      scorings++;
      // What the stretch says does not matter here, and would take long.
      scan.score(from, Math.min(to, from + 1), scores);
    };
    findDeniedClause({ ...scan, score }, standings, classifier.intents.length);
    return scorings;
  };

  test.each(["word ", "delete ", ", ", "a, "])("%p over and over", (part) => {
    const once = scoringsOf(part.repeat(1000));
    expect(once).toBeGreaterThan(0);
    expect(scoringsOf(part.repeat(2000))).toBeLessThanOrEqual(2.1 * once);
  });
});
