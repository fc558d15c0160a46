import { describe, expect, test } from "bun:test";

import * as fc from "fast-check";

import type { CapabilityProfile } from "../../../src/domain/bot.ts";
import type { DeniedBy } from "../../../src/domain/decision.ts";
import { judgeMessage } from "../../../src/governance/judge-message.ts";
import { compileGovernancePolicy } from "../../../src/governance/policy.ts";
import { type IntentClassifier, openIntentModel } from "../../../src/intent/classifier.ts";
import { trainIntentModel } from "../../../src/intent/training/train.ts";
import { botWith, type WrittenIntent } from "../../support/bots.ts";
import { growthOf } from "../../support/growth.ts";

const ENGLISH: WrittenIntent[] = [
  { name: "orders", examples: ["where is my order", "track the parcel", "is the code I need in the letter"] },
  { name: "hours", examples: ["when are you open", "opening hours please", "are you open on sunday"] },
];
const GERMAN: WrittenIntent[] = [
  { name: "bestellung", examples: ["wo ist meine Bestellung", "wann kommt das Paket"] },
  { name: "zeiten", examples: ["wann habt ihr offen", "wie sind die Öffnungszeiten"] },
];

const classifiers = new Map<readonly WrittenIntent[], IntentClassifier>();

function classifierOf(intents: readonly WrittenIntent[]): IntentClassifier {
  const known = classifiers.get(intents);
  if (known) return known;
  const trained = trainIntentModel(botWith({ intents: [...intents] }).intents ?? []).model;
  const classifier = openIntentModel(trained);
  classifiers.set(intents, classifier);
  return classifier;
}

/** Finds the rule of a profile that denies a message to a bot. */
function ruleFinder(
  profile: CapabilityProfile,
  intents: WrittenIntent[] = ENGLISH,
): (text: string) => DeniedBy | undefined {
  const classifier = classifierOf(intents);
  const policy = compileGovernancePolicy(botWith({ intents, capabilityProfile: profile }), classifier);
  return (text) => judgeMessage(text, classifier, policy).deniedBy;
}

const TERMS = ["xanax", "Valium", "sleeping pill", "wayfair", "home depot", "gun", "Made.com", "therapist"];
const inEnglish = ruleFinder({ denyTerms: TERMS });

describe("a deny term is found", () => {
  test.each([
    ["do you sell xanax", "xanax"],
    ["XANAX!", "xanax"],
    ["two xanaxes please", "xanax"],
    ["is that valium's price", "Valium"],
    ["some sleeping pills", "sleeping pill"],
    ["sleeping-pills", "sleeping pill"],
    ["sleeping, pills", "sleeping pill"],
    ["sleepingpill", "sleeping pill"],
    ["SleepingPills.", "sleeping pill"],
    ["homedepot", "home depot"],
    ["made.com delivers", "Made.com"],
    ["guns", "gun"],
  ])("in any form: %j", (text, term) => {
    expect(inEnglish(text)).toEqual({ term });
  });

  test.each([
    "X a n a x",
    "x-a-n-a-x",
    "x.a.n.a.x",
    "xan ax",
    "x an ax",
    "хanax",
    "ｘａｎａｘ",
    "𝐱𝐚𝐧𝐚𝐱",
    "x4nax",
    "x@n@x",
    "xáñàx",
    "xaaanaxxx",
    "xa\u{200b}nax",
    "buyxanaxonline",
    "xanax2mg",
    "xanax_tablets",
    "%78%61%6e%61%78 in stock",
    "&#120;anax",
    "knank naq inyvhz",
    "muilav dna xanax",
  ])("in disguise: %j", (text) => {
    expect(inEnglish(text)).toBeDefined();
  });

  test.each(["xannax", "zanax", "xanx", "vallium", "wayfiar", "sleping pill"])(
    "misspelt by a letter: %s",
    (text) => {
      expect(inEnglish(text)).toBeDefined();
    },
  );

  test.each([
    "where is my order",
    "the rapid courier",
    "is the code I need in the letter",
    "am I sleeping well",
    "a pill",
    "is the depot my home",
    "begun",
    "it is way too fair",
    "who made the com port",
    "",
    "🙂",
    "где мой заказ",
  ])("but not in %j", (text) => {
    expect(inEnglish(text)).toBeUndefined();
  });

  test("but not where a word of the language only looks like it", () => {
    const find = ruleFinder({ denyTerms: ["rapist", "crate", "lawyer"] });
    expect(find("my therapist is open")).toBeUndefined();
    expect(find("another layer")).toBeUndefined();
    expect(find("the rapist")).toEqual({ term: "rapist" });
  });

  test("in the bot's language: cases, compounds, umlauts, verbs that part", () => {
    const find = ruleFinder({ denyTerms: ["Welpe", "Antibiotikum", "einschläfern"] }, GERMAN);
    const texts = ["Welpen", "den Welpen", "Welpenfutter", "Antibiotika", "eingeschläfert", "einzuschläfern"];
    for (const text of texts) expect(find(`wo ist ${text}`)).toBeDefined();
    expect(find("wann kann ich einschlafen")).toBeUndefined();
  });

  test.each([
    ["武器", "我想买武器"],
    ["оружие", "где купить оружие"],
    ["무기", "무기 있어요"],
  ])("in scripts of any kind: %s", (term, text) => {
    expect(ruleFinder({ denyTerms: [term] })(text)).toEqual({ term });
  });

  test("as the operator wrote it, the first of several", () => {
    expect(inEnglish("wayfair or VALIUM")).toEqual({ term: "Valium" });
  });

  test("wherever it is put into a message", () => {
    const words = fc.array(
      fc.oneof(fc.lorem({ maxCount: 1 }), fc.string({ unit: "grapheme", maxLength: 8 })),
      {
        maxLength: 12,
      },
    );
    const term = fc.constantFrom(
      "xanax",
      "xanaxes",
      "sleeping pill",
      "sleeping pills",
      "wayfair",
      "guns",
      "made.com",
    );
    fc.assert(
      fc.property(words, fc.nat(), term, (message, place, hidden) => {
        const at = place % (message.length + 1);
        const text = [...message.slice(0, at), hidden, ...message.slice(at)].join(" ");
        expect(inEnglish(text)).toBeDefined();
      }),
      { numRuns: 300 },
    );
  });
});

describe("a deny pattern is found", () => {
  const find = ruleFinder({ denyPatterns: ["card-number", "iban", "e-mail", "phone"] });

  test.each([
    ["pay with 4111 1111 1111 1111", "card-number"],
    ["4lll llll llll llll", "card-number"],
    ["four one one one one one one one one one one one one one one one", "card-number"],
    ["vier eins eins eins 1111 1111 1111", "card-number"],
    ["④①①① ①①①① ①①①① ①①①①", "card-number"],
    ["DE89 3704 0044 0532 0130 00", "iban"],
    ["ann@example.org", "e-mail"],
    ["call 020 7946 0958", "phone"],
  ])("%s: %s", (text, pattern) => {
    expect(find(text)).toEqual({ pattern } as DeniedBy);
  });

  test("but not among honest numbers", () => {
    for (const text of [
      "order 20241105-4477",
      "2 adults, one child, 3 nights",
      "from 09.00-17.00",
      "29,90 or 19.90",
    ])
      expect(find(text)).toBeUndefined();
  });

  test("only where the profile names it", () => {
    expect(ruleFinder({ denyPatterns: ["iban"] })("ann@example.org")).toBeUndefined();
  });
});

test("terms go before patterns", () => {
  const find = ruleFinder({ denyTerms: ["refund"], denyPatterns: ["e-mail"] });
  expect(find("ann@example.org wants a refund")).toEqual({ term: "refund" });
});

test("a bot without terms and patterns has no rules", () => {
  expect(compileGovernancePolicy(botWith(), classifierOf(ENGLISH)).denyRules).toBeUndefined();
});

test.each(["x a n ", "xana ", "хаnа ", "sleeping ", "4x4n4x1 "])(
  "a message of %j is searched in time by its length, not by the square of it",
  async (piece) => {
    expect(await growthOf((length) => inEnglish(piece.repeat(length / piece.length)), 4000)).toBeLessThan(10);
  },
);
