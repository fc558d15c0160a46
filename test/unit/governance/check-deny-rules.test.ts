import { describe, expect, test } from "bun:test";

import type { CapabilityProfile } from "../../../src/domain/bot.ts";
import { checkDenyRules } from "../../../src/governance/check-deny-rules.ts";
import { botWith } from "../../support/bots.ts";

const INTENTS = [
  {
    name: "shop.returns",
    label: "returning a lamp",
    examples: ["can I send it back", "refund to 4111111111111111"],
  },
  { name: "account.delete", examples: ["delete my account"] },
];

const problemsOf = (capabilityProfile: CapabilityProfile) =>
  checkDenyRules(botWith({ language: "en", intents: INTENTS, capabilityProfile }));

describe("deny terms are checked when a bot is seeded", () => {
  test.each([
    ["?!", "`?!` holds no letter or digit, so that it denies nothing"],
    ["the", "`the` is in nearly every message; deny the words that matter"],
    ["to be", "`to be` is in nearly every message; deny the words that matter"],
    ["x", "`x` is a single letter, which stands in many messages; deny a word"],
  ])("%j is a mistake", (term, message) => {
    expect(problemsOf({ denyTerms: ["gun", term] })).toEqual([
      { pointer: "/capabilityProfile/denyTerms/1", message, severity: "error" },
    ]);
  });

  test("a term twice is told", () => {
    expect(problemsOf({ denyTerms: ["home depot", "Home-Depot"] })).toEqual([
      {
        pointer: "/capabilityProfile/denyTerms/1",
        message: "`Home-Depot` stands in this list twice",
        severity: "warning",
      },
    ]);
  });

  test("a term is told that denies what the bot is to answer", () => {
    expect(problemsOf({ denyTerms: ["lamps"] })).toEqual([
      {
        pointer: "/capabilityProfile/denyTerms/0",
        message:
          '`lamps` also denies the label "returning a lamp" of `shop.returns`, which the bot is to answer',
        severity: "warning",
      },
    ]);
  });

  test("but not one that a denied intent shows", () => {
    expect(problemsOf({ deny: ["account.*"], denyTerms: ["account"] })).toEqual([]);
  });

  test("a stop word of another language is no mistake", () => {
    expect(problemsOf({ denyTerms: ["die"] })).toEqual([]);
  });
});

test("a pattern is told that denies what the bot is to answer, or stands there twice", () => {
  expect(problemsOf({ denyPatterns: ["card-number", "iban", "iban"] })).toMatchObject([
    { pointer: "/capabilityProfile/denyPatterns/0", severity: "warning" },
    { pointer: "/capabilityProfile/denyPatterns/2", message: "`iban` stands in this list twice" },
  ]);
});
