import { describe, expect, test } from "bun:test";

import { TEXT_KEYS, TEXT_LANGUAGES } from "../../../src/domain/texts.ts";
import { askingBack, fillText, helpText, listed } from "../../../src/texts/fill-text.ts";
import { textsOf } from "../../../src/texts/texts-of.ts";

const variablesIn = (text: string) => new Set(text.match(/\{\w+\}/g));

describe.each(TEXT_LANGUAGES)("the wording in %s", (language) => {
  const { texts } = textsOf({ language });
  const english = textsOf({ language: "en" }).texts;

  test("has every key, none twice, and the variables that the English one has", () => {
    expect(Object.keys(texts)).toEqual(TEXT_KEYS);
    for (const key of TEXT_KEYS)
      expect([key, variablesIn(texts[key])]).toEqual([key, variablesIn(english[key])]);
  });

  test.skipIf(language === "en")("is not English", () => {
    expect(TEXT_KEYS.filter((key) => texts[key] === english[key])).toEqual([]);
  });

  test("names the bot where it says what it is", () => {
    expect(texts["social.identity"]).toContain("{botName}");
  });
});

describe("the wording of a bot", () => {
  test.each([
    [{ language: "de-AT" }, "de"],
    [{ language: "pt-BR" }, "pt"],
    [{ language: "sv" }, "en"],
    [{}, "en"],
  ])("of %p is in %s", (bot, language) => {
    expect(textsOf(bot).language).toBe(language as never);
  });

  const bot = {
    language: "de",
    texts: { "social.thanks": "Gern!", fr: { "social.thanks": "De rien !" }, de: { noneOfThese: "Nö" } },
  };

  test("is the operator's, by key or by language and key", () => {
    const { texts } = textsOf(bot);
    expect(texts["social.thanks"]).toBe("Gern!");
    expect(texts.noneOfThese).toBe("Nö");
    expect(texts.mayHelp).toBe("Das könnte helfen:");
  });

  test("goes before by language, and what is given by key stays out of other languages", () => {
    expect(textsOf(bot, "fr-CA").texts["social.thanks"]).toBe("De rien !");
    expect(textsOf(bot, "es").texts["social.thanks"]).toBe(
      textsOf({ language: "es" }).texts["social.thanks"],
    );
    const both = { language: "de", texts: { ...bot.texts, de: { "social.thanks": "Bitte!" } } };
    expect(textsOf(both).texts["social.thanks"]).toBe("Bitte!");
  });

  test("is in the bot's own language where the one asked for is not there", () => {
    expect(textsOf(bot, "sv").language).toBe("de");
  });
});

describe("asking back", () => {
  test.each([
    ["en", ["A"], "Did you mean: A?"],
    ["en", ["A", "B", "C"], "Did you mean: A, B or C?"],
    ["de", ["A", "B"], "Meinten Sie: A oder B?"],
    ["fr", ["A", "B"], "Vouliez-vous dire : A ou B ?"],
    ["ja", ["A", "B"], "もしかして、AまたはBのことでしょうか。"],
  ])("in %s about %p", (language, labels, question) => {
    expect(askingBack(textsOf({ language }), labels)).toBe(question);
  });

  test("help names what there is, or asks for a question", () => {
    expect(helpText(textsOf({}), ["refunds", "invoices"])).toContain("refunds and invoices");
    expect(helpText(textsOf({}), [])).toBe(textsOf({}).texts["social.helpWithoutChoices"]);
  });

  test("labels are joined as the language does", () => {
    expect(listed(["A", "B", "C"], "zh", "or")).toBe("A、B或C");
    expect(listed(["A"], "de", "and")).toBe("A");
  });
});

test("values are filled in literally, and unknown variables stay", () => {
  expect(fillText("{botName}: {rest} {other}", { botName: "$& & Sons", rest: "{botName}" })).toBe(
    "$& & Sons: {botName} {other}",
  );
});
