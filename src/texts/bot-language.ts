import type { BotDocument } from "../domain/bot.ts";
import type { TextLanguage } from "../domain/texts.ts";
import { languageOf, textLanguageOf } from "../text/language-of.ts";

const DEFAULT: TextLanguage = "en";
/** Examples that are read: a hundred suffice to detect the language. Chosen by hand. */
const MOST_READ = 100;

/** The bot's language: from its file, else from its examples; English if it is unknown. */
export function languageOfBot({
  language,
  intents = [],
}: Pick<BotDocument, "language" | "intents">): TextLanguage {
  if (language !== undefined) return textLanguageOf(language) ?? DEFAULT;
  return languageOf(intents.flatMap(({ examples = [] }) => examples).slice(0, MOST_READ)) ?? DEFAULT;
}
