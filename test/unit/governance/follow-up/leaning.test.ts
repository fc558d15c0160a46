import { describe, expect, test } from "bun:test";

import { chanceOfLeaning, signsOfLeaning } from "../../../../src/governance/follow-up/leaning.ts";

const STANDS_ALONE = {
  unchanged: 0.97,
  nearSubject: 0.3,
  unanswered: 0,
  goesOn: 0,
  pointsBack: 0,
  ownWords: 4,
};

describe("the words of a message", () => {
  test.each([
    ["and on Sundays?", { goesOn: 1, pointsBack: 0, ownWords: 0 }],
    ["does that cost extra", { goesOn: 0, pointsBack: 1, ownWords: 0 }],
    ["und mit Anhänger", { goesOn: 1, pointsBack: 0, ownWords: 1 }],
    [
      "please repair the broken headlight of our white transporter",
      { goesOn: 0, pointsBack: 0, ownWords: 4 },
    ],
    ["", { goesOn: 0, pointsBack: 0, ownWords: 0 }],
  ])("of %p", (text, signs) => {
    expect(signsOfLeaning(text)).toEqual(signs);
  });
});

describe("the chance that a message leans on what was said before", () => {
  test("is small where it means the same alone, and great where it does not", () => {
    expect(chanceOfLeaning(STANDS_ALONE)).toBeLessThan(0.2);
    expect(
      chanceOfLeaning({ ...STANDS_ALONE, unchanged: 0.6, nearSubject: 0.7, goesOn: 1, ownWords: 0 }),
    ).toBeGreaterThan(0.9);
  });

  test.each([
    ["goes on", { goesOn: 1 }],
    ["points back", { pointsBack: 1 }],
    ["is nearer to the subject", { nearSubject: 0.6 }],
    ["means something else behind it", { unchanged: 0.8 }],
    ["has fewer words of its own", { ownWords: 0 }],
  ])("grows where it %s", (_, change) => {
    expect(chanceOfLeaning({ ...STANDS_ALONE, ...change })).toBeGreaterThan(chanceOfLeaning(STANDS_ALONE));
  });
});
