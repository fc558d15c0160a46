import type { TextLanguage, Wording } from "../domain/texts.ts";
import { ARABIC } from "./wordings/ar.ts";
import { GERMAN, INFORMAL_GERMAN } from "./wordings/de.ts";
import { ENGLISH } from "./wordings/en.ts";
import { SPANISH } from "./wordings/es.ts";
import { FRENCH, INFORMAL_FRENCH } from "./wordings/fr.ts";
import { ITALIAN } from "./wordings/it.ts";
import { JAPANESE } from "./wordings/ja.ts";
import { DUTCH } from "./wordings/nl.ts";
import { POLISH } from "./wordings/pl.ts";
import { PORTUGUESE } from "./wordings/pt.ts";
import { TURKISH } from "./wordings/tr.ts";
import { CHINESE } from "./wordings/zh.ts";

/** Built-in texts of bots, which bot files may replace. */
export const WORDINGS: Readonly<Record<TextLanguage, Wording>> = {
  ar: ARABIC,
  de: GERMAN,
  en: ENGLISH,
  es: SPANISH,
  fr: FRENCH,
  it: ITALIAN,
  ja: JAPANESE,
  nl: DUTCH,
  pl: POLISH,
  pt: PORTUGUESE,
  tr: TURKISH,
  zh: CHINESE,
};

/** The same for addressing visitors by "du" or "tu"; only languages that have both forms. */
export const INFORMAL_WORDINGS: Readonly<Partial<Record<TextLanguage, Wording>>> = {
  de: { ...GERMAN, ...INFORMAL_GERMAN },
  fr: { ...FRENCH, ...INFORMAL_FRENCH },
};
