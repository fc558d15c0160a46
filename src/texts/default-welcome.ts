import type { BotDocument } from "../domain/bot.ts";
import { textLanguageOf } from "../text/language-of.ts";
import { languageOfBot } from "./bot-language.ts";
import { WORDINGS } from "./wordings.ts";

/**
 * The greeting of a bot that has none of its own, with `{botName}` in it: in the bot's language, or in one that its file words.
 *
 * @param tag of the language that the file words.
 */
export function defaultWelcome(bot: Pick<BotDocument, "language" | "intents">, tag?: string): string {
  return WORDINGS[textLanguageOf(tag) ?? languageOfBot(bot)].welcomeMessage;
}
