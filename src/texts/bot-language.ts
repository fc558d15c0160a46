import type { BotDocument } from "../domain/bot.ts";
import type { TextLanguage } from "../domain/texts.ts";
import { languageOf, textLanguageOf } from "../text/language-of.ts";

const DEFAULT: TextLanguage = "en";
/** Examples that are read: what a language is shows within a hundred. */
const MOST_READ = 100;

/** The language that a bot speaks: the one that its file names, or that of its examples; English where it is none that is known. */
export function languageOfBot({
  language,
  intents = [],
}: Pick<BotDocument, "language" | "intents">): TextLanguage {
  if (language !== undefined) return textLanguageOf(language) ?? DEFAULT;
  return languageOf(intents.flatMap(({ examples = [] }) => examples).slice(0, MOST_READ)) ?? DEFAULT;
}
