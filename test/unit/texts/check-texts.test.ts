import { expect, test } from "bun:test";

import { checkTexts } from "../../../src/texts/check-texts.ts";
import { botWith, type WrittenFields } from "../../support/bots.ts";

const problemsOf = (fields: WrittenFields) =>
  checkTexts(botWith(fields)).map(({ pointer, message }) => `${pointer}: ${message}`);

test("a marker that nothing fills in is warned of, with its place and the nearest that is", () => {
  expect(problemsOf({ texts: { didYouMean: "Is it {choises}?" } })).toEqual([
    "/texts/didYouMean: `{choises}` is shown as it stands; did you mean `choices`?",
    "/texts/didYouMean: `{choices}` is missing: visitors will not see what it stands for",
  ]);
  expect(problemsOf({ language: "de", texts: { de: { "social.greeting": "Hallo {user}" } } })).toEqual([
    "/texts/de/social.greeting: `{user}` is shown as it stands",
  ]);
});

test("a language without texts is warned of", () => {
  expect(problemsOf({ language: "sv" })[0]).toStartWith("/language: Parley has no texts in `sv`");
});

test("a suggested question that the bot does not have is a mistake, with its place and the nearest", () => {
  const suggestedQuestions = [{ id: "hours", text: "Open?" }, { text: "Where?" }];
  const texts = { "de-AT": { suggestedQuestions: { houers: "Offen?", q2: "Wo?" } } };
  const [problem, ...others] = checkTexts(botWith({ suggestedQuestions, texts }));
  expect(others).toEqual([]);
  expect(problem).toEqual({
    pointer: "/texts/de-AT/suggestedQuestions/houers",
    message: "this bot has no suggested question `houers`; did you mean `hours`?",
    severity: "error",
  });
});

test("what changes nothing is warned of", () => {
  expect(problemsOf({ language: "es", formality: "informal" })[0]).toStartWith(
    "/formality: this changes nothing",
  );
  expect(problemsOf({ language: "de", formality: "informal" })).toEqual([]);
  expect(problemsOf({ texts: { otherLanguage: "Only {language}" } })[0]).toStartWith(
    "/texts/otherLanguage: this is never said",
  );
  expect(problemsOf({ language: "de", texts: { en: { otherLanguage: "Only {language}" } } })).toEqual([]);
});

test("what is right is not", () => {
  const texts = {
    didYouMean: "{botName} asks: {choices}?",
    partly: "Not that: {rest}",
    pt: { noneOfThese: "Nada" },
    en: { tagline: "At once" },
  };
  expect(problemsOf({ language: "pt-BR", texts })).toEqual([]);
});

test("texts of a conversation in a language that the bot does not speak are warned of, once for each", () => {
  const texts = {
    de: { noneOfThese: "Nichts" },
    "de-AT": { noneOfThese: "Nix" },
    en: { tagline: "At once", DENY_LIST: "No.", "social.thanks": "Welcome!" },
    "de-CH": { partly: "Nicht: {rest}" },
    fr: { tagline: "Tout de suite" },
  };
  const rest = "in a conversation, and other languages word only what the widget shows";
  expect(problemsOf({ language: "de-at", texts })).toEqual([
    `/texts/en/DENY_LIST: \`DENY_LIST\`, \`social.thanks\` of \`en\` are never said: the bot speaks \`de-at\` ${rest}`,
    `/texts/de-CH/partly: \`partly\` of \`de-CH\` is never said: the bot speaks \`de-at\` ${rest}`,
  ]);
});

test("texts in the language of the examples are said", () => {
  const intents = [
    { name: "hours", examples: ["Wann haben Sie geöffnet?", "Ist der Laden am Samstag offen?"] },
  ];
  expect(problemsOf({ intents, texts: { de: { noneOfThese: "Nichts" } } })).toEqual([]);
});
