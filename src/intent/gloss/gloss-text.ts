import type { Language } from "../../text/languages.ts";
import { glossWord } from "./gloss-word.ts";
import { wordTableOf } from "./open-tables.ts";
import { splitWords } from "./split-words.ts";

/**
 * What a text says in English words, in the order of its own language: what to look up in English documents, and nothing for people. Words that
 * the table does not know stay, without diacritics. A question mark at its end stays, other punctuation goes. English texts stay as they are.
 */
export function glossText(text: string, language: Language): string {
  if (language === "en") return text;
  const table = wordTableOf(language);
  const glosses = splitWords(text, language).map((word) => glossWord(word, table, language) ?? word);
  const said = glosses.filter((gloss, i) => gloss !== glosses[i - 1]);
  return said.join(" ") + (/\?\s*$/.test(text) ? "?" : "");
}
