import { type BotTexts, TEXT_KEYS, type TextLanguage } from "../domain/texts.ts";
import { textLanguageOf } from "../text/language-of.ts";
import type { Texts } from "./texts.ts";
import arabic from "./wordings/ar.ts";
import german from "./wordings/de.ts";
import english from "./wordings/en.ts";
import spanish from "./wordings/es.ts";
import french from "./wordings/fr.ts";
import italian from "./wordings/it.ts";
import japanese from "./wordings/ja.ts";
import dutch from "./wordings/nl.ts";
import polish from "./wordings/pl.ts";
import portuguese from "./wordings/pt.ts";
import turkish from "./wordings/tr.ts";
import chinese from "./wordings/zh.ts";

const WORDINGS: Record<TextLanguage, Texts> = {
  en: english,
  de: german,
  es: spanish,
  fr: french,
  it: italian,
  nl: dutch,
  pt: portuguese,
  pl: polish,
  tr: turkish,
  ar: arabic,
  ja: japanese,
  zh: chinese,
};

/** What of a bot decides on its wording. */
export interface WordedBot {
  /** A BCP 47 tag: as the operator gave it, or as found from the examples. */
  language?: string | undefined;
  texts?: BotTexts | undefined;
}

/** What a bot says by itself, and in which language. */
export interface BotWording {
  language: TextLanguage;
  texts: Texts;
}

/**
 * What a bot says by itself: in the language asked for, or else its own, or else English. The operator's own words go first: those given
 * for the language, then those given by key alone, which are in the bot's own language and stay out of others.
 * @param asked a BCP 47 tag, where somebody else's language counts, such as a visitor's.
 */
export function textsOf(bot: WordedBot, asked?: string): BotWording {
  const own = textLanguageOf(bot.language) ?? "en";
  const language = textLanguageOf(asked) ?? own;
  const byKey = language === own ? bot.texts : undefined;
  const byLanguage = bot.texts?.[language];
  const wording = TEXT_KEYS.map((key) => [key, byLanguage?.[key] ?? byKey?.[key] ?? WORDINGS[language][key]]);
  return { language, texts: Object.fromEntries(wording) as Texts };
}
