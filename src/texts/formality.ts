import type { BotDocument } from "../domain/bot.ts";
import type { TextLanguage } from "../domain/texts.ts";
import { textLanguageOf } from "../text/language-of.ts";
import { languageOfBot } from "./bot-language.ts";
import type { Wording } from "./wording.ts";
import { INFORMAL_WORDINGS, WORDINGS } from "./wordings.ts";

type AddressingBot = Pick<BotDocument, "language" | "intents" | "formality"> & Partial<BotDocument>;

/** Words that address somebody by "du" or "tu", and by "Sie" or "vous". At the beginning of a sentence, "Sie" may be "they". */
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

/** From `formality`, or else from the form that the owner's texts use more often. */
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
