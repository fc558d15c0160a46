import type { BotDocument, BotProblem, BotRule } from "../domain/bot.ts";
import { didYouMean } from "../domain/closest-name.ts";
import {
  type LanguageTexts,
  TEXT_KEYS,
  TEXT_LANGUAGES,
  type TextKey,
  type TextLanguage,
} from "../domain/texts.ts";
import { textLanguageOf } from "../text/language-of.ts";
import { languageOfBot, questionId, wordedLanguages } from "./bot-wording.ts";
import { INFORMAL_WORDINGS, WORDINGS } from "./wordings.ts";

/** The placeholder that works in every text. */
const EVERYWHERE = "botName";

/** Warns of unknown placeholders, which visitors would see, of a language without texts in Parley, and of texts that are never used. */
export const checkTexts: BotRule = (bot) => {
  const { language, texts = {}, suggestedQuestions = [] } = bot;
  return [
    ...languageProblems(language),
    ...formalityProblems(bot),
    ...(texts.otherLanguage === undefined ? [] : [OTHER_LANGUAGE_OF_NONE]),
    ...wordingProblems("/texts", texts),
    ...wordedLanguages({ texts }).flatMap((tag) => {
      const wording = texts[tag as TextLanguage]!;
      return [
        ...wordingProblems(`/texts/${tag}`, wording),
        ...questionProblems(tag, wording, suggestedQuestions),
      ];
    }),
    ...unusedTexts(bot),
  ];
};

/** A bot speaks one language in a conversation, so its own sentences in another are never used. */
function unusedTexts(bot: BotDocument): BotProblem[] {
  const spoken = bot.language ?? languageOfBot(bot);
  return wordedLanguages(bot).flatMap((tag): BotProblem[] => {
    if (isPartOf(tag, spoken)) return [];
    const unused = TEXT_KEYS.filter(
      (key) => key !== "otherLanguage" && bot.texts![tag as TextLanguage]![key] !== undefined,
    );
    if (unused.length === 0) return [];
    const keys = unused.map((key) => `\`${key}\``).join(", ");
    const message = `${keys} of \`${tag}\` ${unused.length === 1 ? "is" : "are"} never said: the bot speaks \`${spoken}\` in a conversation, and other languages word only what the widget shows`;
    return [{ pointer: `/texts/${tag}/${unused[0]}`, message, severity: "warning" }];
  });
}

/** Whether a tag equals the other, or is more general: `pt` for `pt-BR`. */
function isPartOf(tag: string, other: string): boolean {
  return `${other}-`.toLowerCase().startsWith(`${tag}-`.toLowerCase());
}

function languageProblems(language: string | undefined): BotProblem[] {
  if (language === undefined || textLanguageOf(language) !== undefined) return [];
  const message = `Parley has no texts in \`${language}\`: what the bot says by itself is in English, unless \`texts\` words it; there are ${TEXT_LANGUAGES.join(", ")}`;
  return [{ pointer: "/language", message, severity: "warning" }];
}

const OTHER_LANGUAGE_OF_NONE: BotProblem = {
  pointer: "/texts/otherLanguage",
  message: "this is never said: it is for visitors of another language, and stands under that one",
  severity: "warning",
};

function formalityProblems(bot: BotDocument): BotProblem[] {
  const language = languageOfBot(bot);
  if (bot.formality === undefined || INFORMAL_WORDINGS[language] !== undefined) return [];
  const message = `this changes nothing: the bot speaks \`${language}\`, and only its German and French are worded for both`;
  return [{ pointer: "/formality", message, severity: "warning" }];
}

function wordingProblems(pointer: string, wording: Partial<Record<TextKey, string>> = {}): BotProblem[] {
  return TEXT_KEYS.flatMap((key) => {
    const text = wording[key];
    return text === undefined ? [] : markerProblems(key, text, `${pointer}/${key}`);
  });
}

/** Translations of questions are keyed by the question's id. */
function questionProblems(
  tag: string,
  { suggestedQuestions = {} }: LanguageTexts,
  questions: NonNullable<BotDocument["suggestedQuestions"]>,
): BotProblem[] {
  const ids = questions.map(questionId);
  const unknown = Object.keys(suggestedQuestions).filter((id) => !ids.includes(id));
  return unknown.map((id) => ({
    pointer: `/texts/${tag}/suggestedQuestions/${id.replaceAll("~", "~0").replaceAll("/", "~1")}`,
    message: `this bot has no suggested question \`${id}\`${didYouMean(id, ids)}`,
    severity: "error",
  }));
}

function markerProblems(key: TextKey, text: string, pointer: string): BotProblem[] {
  const needed = markersIn(WORDINGS.en[key]).filter((marker) => marker !== EVERYWHERE);
  const known = [...needed, EVERYWHERE];
  const given = markersIn(text);
  const unknown = given.filter((marker) => !known.includes(marker));
  const missing = needed.filter((marker) => !given.includes(marker));
  return [
    ...unknown.map((marker) => `\`{${marker}}\` is shown as it stands${didYouMean(marker, known)}`),
    ...missing.map((marker) => `\`{${marker}}\` is missing: visitors will not see what it stands for`),
  ].map((message): BotProblem => ({ pointer, message, severity: "warning" }));
}

function markersIn(text: string): string[] {
  return [...text.matchAll(/\{(\w+)\}/g)].map(([, name]) => name!);
}
