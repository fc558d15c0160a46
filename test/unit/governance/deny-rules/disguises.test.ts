import { describe, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";

import type { CapabilityProfile } from "../../../../src/domain/bot.ts";
import type { DeniedBy } from "../../../../src/domain/decision.ts";
import { judgeMessage } from "../../../../src/governance/judge-message.ts";
import { compileGovernancePolicy } from "../../../../src/governance/policy.ts";
import { openIntentModel } from "../../../../src/intent/classifier.ts";
import { trainIntentModel } from "../../../../src/intent/training/train.ts";
import { botWith } from "../../../support/bots.ts";

const intents = [
  { name: "orders", examples: ["where is my order", "track the parcel", "when does my package arrive"] },
  { name: "hours", examples: ["when are you open", "opening hours please", "are you open on sunday"] },
];
const classifier = openIntentModel(trainIntentModel(botWith({ intents }).intents ?? []).model);

function ruleFinder(capabilityProfile: CapabilityProfile): (text: string) => DeniedBy | undefined {
  const policy = compileGovernancePolicy(botWith({ intents, capabilityProfile }), classifier);
  return (text) => judgeMessage(text, classifier, policy).deniedBy;
}

const each = (text: string, make: (character: string) => string) => Array.from(text, make).join("");
const bytes = (text: string) => [...Buffer.from(text)].map((byte) => byte.toString(16).padStart(2, "0"));
const entity = (character: string) => `&#${character.codePointAt(0)};`;
const isSign = (character: string) => !/[a-z\s]/i.test(character);

/** What is done to a word or to data, so that rules do not see them. */
const DISGUISES: Record<string, (text: string) => string> = {
  "zero-width spaces": (text) => each(text, (c) => `${c}\u200b`),
  "soft hyphens": (text) => each(text, (c) => `${c}\u00ad`),
  "zero-width joiners": (text) => each(text, (c) => `${c}\u200d`),
  "word joiners": (text) => each(text, (c) => `${c}\u2060`),
  "character references": (text) => each(text, entity),
  "character references in hexadecimal": (text) => each(text, (c) => `&#x${c.codePointAt(0)!.toString(16)};`),
  "references for the signs alone": (text) => each(text, (c) => (isSign(c) ? entity(c) : c)),
  "percent signs": (text) =>
    bytes(text)
      .map((byte) => `%${byte}`)
      .join(""),
  "percent signs for the signs alone": (text) =>
    each(text, (c) => (isSign(c) ? `%${bytes(c).join("%")}` : c)),
  escapes: (text) => each(text, (c) => `\\u${c.codePointAt(0)!.toString(16).padStart(4, "0")}`),
  "mirror writing": (text) => Array.from(text).toReversed().join(""),
  spaces: (text) => each(text.replaceAll(" ", ""), (c) => `${c} `).trim(),
  Base64: (text) => Buffer.from(text).toString("base64"),
  "Base64 without its end": (text) => Buffer.from(text).toString("base64url"),
  hexadecimal: (text) => bytes(text).join(""),
  "hexadecimal in pairs": (text) => bytes(text).join(" "),
  "hexadecimal escapes": (text) =>
    bytes(text)
      .map((byte) => `\\x${byte}`)
      .join(""),
  markup: (text) => each(text, (c) => `<b>${c}</b>`),
  "markup around one letter": (text) => `${text[0]}<i>${text[1]}</i>${text.slice(2)}`,
};

const ALLOWED = [
  (hidden: string) => `where is my order? ${hidden}`,
  (hidden: string) => `${hidden} where is my order`,
  (hidden: string) => `when are you open, ${hidden}, please`,
];

describe.each(Object.keys(DISGUISES))("joined to an allowed question, by %s", (kind) => {
  const disguise = DISGUISES[kind]!;

  test.each([
    ["e-mail", "ann.lee@example.org"],
    ["card-number", "4111 1111 1111 1111"],
    ["card-number", "5555555555554444"],
    ["iban", "DE89 3704 0044 0532 0130 00"],
    ["iban", "GB29NWBK60161331926819"],
    ["phone", "+44 20 7946 0958"],
    ["phone", "+4930901820"],
  ])("data are found: %s %s", (pattern, datum) => {
    const find = ruleFinder({ denyPatterns: ["e-mail", "card-number", "iban", "phone"] });
    const missed = ALLOWED.map((join_) => join_(disguise(datum))).filter((text) => find(text) === undefined);
    expect(missed).toEqual([]);
    expect(pattern).toBeDefined();
  });

  test.each(["xanax", "Valium", "wayfair", "casino"])("a word is found: %s", (term) => {
    const find = ruleFinder({ denyTerms: ["xanax", "valium", "wayfair", "casino"] });
    const missed = ALLOWED.map((join_) => join_(disguise(term))).filter((text) => find(text) === undefined);
    expect(missed).toEqual([]);
  });
});

test.each([
  ["ROT13", "jnlsnve"],
  ["ROT13", "inyvhz"],
  ["a sign for a letter", "×ANA×"],
  ["two letters for one", "vvayfair"],
  ["two letters for one", "vvayfaır"],
  ["letters of another script that look nearly alike", "хаnах"],
  ["letters of another script that look nearly alike", "шауfаir"],
  ["letters of another script that look nearly alike", "саsiпо"],
  ["another script, by its sound", "валиум"],
  ["another script, by its sound", "ксанакс"],
  ["letters of flags", "🇽🇦🇳🇦🇽"],
  ["letters of flags, apart", "🇽 🇦 🇳 🇦 🇽"],
  ["markup of another kind", "x[b]a[/b]nax"],
  ["markup of another kind", "xa<!-- hi -->nax"],
  ["markup of another kind", "x**a**nax"],
])("a word is found by %s: %s", (_, hidden) => {
  const find = ruleFinder({ denyTerms: ["xanax", "valium", "wayfair", "casino"] });
  for (const allowed of ALLOWED) expect(find(allowed(hidden))).toBeDefined();
});

test("numbers in keycaps are found", () => {
  const find = ruleFinder({ denyPatterns: ["card-number", "phone"] });
  const card = each("4111111111111111", (digit) => `${digit}\u{fe0f}\u{20e3}`);
  for (const allowed of ALLOWED) expect(find(allowed(card))).toEqual({ pattern: "card-number" });
});

/** Order numbers, codes of products, links, prices, times and words of several languages, as visitors write them. */
const INNOCENT = readFileSync(join(import.meta.dir, "innocent.txt"), "utf8")
  .trimEnd()
  .split("\n");

describe("messages that hide nothing", () => {
  const find = ruleFinder({
    denyTerms: ["xanax", "valium", "wayfair", "casino", "gun", "weed", "home depot"],
    denyPatterns: ["e-mail", "card-number", "iban", "phone"],
  });

  test("are three hundred", () => {
    expect(INNOCENT.length).toBe(300);
    expect(new Set(INNOCENT).size).toBe(300);
  });

  test("are denied by no rule", () => {
    expect(INNOCENT.filter((text) => find(text) !== undefined)).toEqual([]);
  });
});
