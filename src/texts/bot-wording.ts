import type { BotDocument } from "../domain/bot.ts";
import type { BotTexts, LanguageTexts, TextLanguage, Wording } from "../domain/texts.ts";
import { languageOf, textLanguageOf } from "../text/language-of.ts";
import { INFORMAL_WORDINGS, WORDINGS } from "./wordings.ts";

const DEFAULT: TextLanguage = "en";
/** Examples that are read: a hundred suffice to detect the language. Chosen by hand. */
const MAX_READ = 100;

/** The bot's language: from its file, otherwise from its examples; English if it is unknown. */
export function languageOfBot({
  language,
  intents = [],
}: Pick<BotDocument, "language" | "intents">): TextLanguage {
  if (language !== undefined) return textLanguageOf(language) ?? DEFAULT;
  return languageOf(intents.flatMap(({ examples = [] }) => examples).slice(0, MAX_READ)) ?? DEFAULT;
}

type AddressingBot = Pick<BotDocument, "language" | "intents" | "formality"> & Partial<BotDocument>;

/** Words that address the reader by "du" or "tu", and by "Sie" or "vous". At the beginning of a sentence, "Sie" may be "they". */
const ADDRESSING: Partial<Record<TextLanguage, { informal: RegExp; formal: RegExp }>> = {
  de: {
    informal: /(?<!\p{L})(?:du|dich|dir|dein(?:e[mnrs]?)?|euch|eure?[mnrs]?)(?!\p{L})/giu,
    formal: /(?<=[\p{L}\p{N},;:] )(?:Sie|Ihnen|Ihr(?:e[mnrs]?)?)(?!\p{L})/gu,
  },
  fr: {
    informal: /(?<!\p{L})(?:(?:tu|toi|te|ton|tes)(?!\p{L})|t'(?=\p{L}))/giu,
    formal: /(?<!\p{L})(?:vous|votre|vos)(?!\p{L})/giu,
  },
};

/** Built-in texts of a bot in its own or a given language: informal ("du", "tu") if the bot is elsewhere, or by its `formality`. */
export function wordingOf(bot: AddressingBot, language: TextLanguage = languageOfBot(bot)): Wording {
  const informal = INFORMAL_WORDINGS[language];
  return informal !== undefined && isInformal(bot, language) ? informal : WORDINGS[language];
}

/** From `formality`, otherwise from the form that the owner's texts use more often. */
function isInformal(bot: AddressingBot, language: TextLanguage): boolean {
  if (bot.formality !== undefined) return bot.formality === "informal";
  const addressing = ADDRESSING[language];
  if (addressing === undefined) return false;
  const said = ownersTexts(bot).join("\n").replaceAll("’", "'");
  const count = (words: RegExp): number => said.match(words)?.length ?? 0;
  return count(addressing.informal) > count(addressing.formal);
}

/** The texts of a bot file: answers, texts, refusals, and the widget's greeting. */
function ownersTexts({
  welcomeMessage = "",
  tagline = "",
  intents = [],
  texts = {},
  capabilityProfile,
}: AddressingBot): string[] {
  const worded = Object.values(texts).flatMap((text) =>
    typeof text === "string" ? [text] : Object.values(text).filter((one) => typeof one === "string"),
  );
  const refusals = Object.values(capabilityProfile?.refusals ?? {});
  return [
    welcomeMessage,
    tagline,
    ...intents.flatMap(({ responses = [] }) => responses),
    ...worded,
    ...refusals,
  ];
}

/**
 * The greeting of a bot without its own, with `{botName}` in it: in the bot's language, or in another language of its file.
 *
 * @param tag the other language
 */
export function defaultWelcome(bot: BotDocument, tag?: string): string {
  return wordingOf(bot, textLanguageOf(tag)).welcomeMessage;
}

type WordedBot = Pick<BotDocument, "texts" | "language" | "intents">;

/** Tags of the languages in which a bot file has texts, as written there. */
export function wordedLanguages({ texts = {} }: Pick<BotDocument, "texts">): string[] {
  return Object.entries(texts).flatMap(([key, wording]) => (typeof wording === "object" ? [key] : []));
}

/** The texts of a bot file in a language: `texts.pt`, then the differences in `texts.pt-BR`. Tags are case-insensitive. */
export function wordingIn(texts: BotTexts | undefined, tag: string): LanguageTexts[] {
  const byTag = new Map(Object.entries(texts ?? {}).map(([key, wording]) => [key.toLowerCase(), wording]));
  const parts = tag.toLowerCase().split("-");
  return parts.flatMap((_, at) => {
    const wording = byTag.get(parts.slice(0, at + 1).join("-"));
    return typeof wording === "object" ? [wording] : [];
  });
}

/** The bot as its widget shows it in a visitor's language, otherwise in the bot's own. */
export function wordedBot<Bot extends WordedBot & Partial<BotDocument>>(bot: Bot, tag?: string): Bot {
  if (wordedLanguages(bot).length === 0) return bot;
  const own = bot.language ?? languageOfBot(bot);
  const wordings = [...wordingIn(bot.texts, own), ...(tag === undefined ? [] : wordingIn(bot.texts, tag))];
  return wordings.reduce(reworded, bot);
}

function reworded<Bot extends Partial<BotDocument>>(bot: Bot, wording: LanguageTexts): Bot {
  const { welcomeMessage, tagline, legal, "launcher.label": label, suggestedQuestions: questions } = wording;
  return {
    ...bot,
    ...(welcomeMessage !== undefined && { welcomeMessage }),
    ...(tagline !== undefined && { tagline }),
    ...(legal !== undefined && { legal }),
    ...(label !== undefined && { launcher: { ...bot.launcher, label } }),
    ...(questions && {
      suggestedQuestions: bot.suggestedQuestions?.map((question, at) => ({
        ...question,
        text: questions[questionId(question, at)] ?? question.text,
      })),
    }),
  };
}

/** The id of a question; without one, its place in the file. */
export const questionId = ({ id }: { id?: string }, at: number): string => id ?? `q${at + 1}`;
