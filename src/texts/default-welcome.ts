import type { BotDocument } from "../domain/bot.ts";
import { textLanguageOf } from "../text/language-of.ts";
import { wordingOf } from "./formality.ts";

/**
 * The greeting of a bot that has none of its own, with `{botName}` in it: in the bot's language, or in one that its file words.
 *
 * @param tag of the language that the file words.
 */
export function defaultWelcome(bot: BotDocument, tag?: string): string {
  return wordingOf(bot, textLanguageOf(tag)).welcomeMessage;
}
