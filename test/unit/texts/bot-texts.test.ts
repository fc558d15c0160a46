import { describe, expect, test } from "bun:test";

import { Value } from "@sinclair/typebox/value";

import { BotLanguage, BotTexts } from "../../../src/domain/texts.ts";
import { warnOfUnfilledVariables } from "../../../src/texts/check-texts.ts";

describe("`texts` of a bot file", () => {
  test.each([
    [{}],
    [{ "social.thanks": "Any time!" }],
    [{ de: { "social.thanks": "Gern!" }, "didYouMean.one": "{choice}?" }],
  ])("may be %p", (texts) => {
    expect(Value.Check(BotTexts, texts)).toBe(true);
  });

  test.each([
    [{ "social.thank": "Any time!" }],
    [{ de: { thanks: "Gern!" } }],
    [{ sv: { "social.thanks": "Tack" } }],
    [{ "social.thanks": "" }],
    [{ "social.thanks": ["a", "b"] }],
  ])("may not be %p", (texts) => {
    expect(Value.Check(BotTexts, texts)).toBe(false);
  });
});

test.each([
  ["de", true],
  ["de-AT", true],
  ["zh-Hant-TW", true],
  ["german", false],
  ["de_AT", false],
  ["", false],
])("the language %p is a tag: %p", (tag, isTag) => {
  expect(Value.Check(BotLanguage, tag)).toBe(isTag);
});

test("variables that nothing fills in are warned of, with the place and the closest name", () => {
  const texts = { "social.identity": "I'm {botname}", de: { partly: "{rest} {botName} {choices}" } };
  expect(warnOfUnfilledVariables(texts)).toEqual([
    {
      pointer: "/texts/social.identity",
      message: "`{botname}` is shown as it stands; did you mean `botName`?",
      severity: "warning",
    },
    {
      pointer: "/texts/de/partly",
      message: "`{choices}` is shown as it stands (known here: rest, botName)",
      severity: "warning",
    },
  ]);
  expect(warnOfUnfilledVariables(undefined)).toEqual([]);
});
