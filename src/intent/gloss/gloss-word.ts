import type { Language } from "../../text/languages.ts";
import { glossCompound } from "./compounds.ts";
import type { WordTable } from "./word-table.ts";

/** French and Italian words that are written together with an elided one, without the apostrophe: "lheure", "quil". */
const ELIDED = /^(?:qu|[cdjlmnst])(?=[aeiouhy])/;

/** English for a word that stands alone; undefined where nothing is known of it. */
export function glossWord(text: string, table: WordTable, language: Language): string | undefined {
  const found = table.find(text);
  if (language === "de") return glossCompound(text, table, found) ?? glossWithoutDigraphs(text, table);
  if (language === "nl") return glossCompound(text, table, found);
  if (found || (language !== "fr" && language !== "it")) return found?.gloss;
  return table.find(text.replace(ELIDED, ""))?.gloss;
}

/** Umlauts have lost their dots in the tables; others write them as two letters. */
function glossWithoutDigraphs(word: string, table: WordTable): string | undefined {
  const plain = word.replaceAll(/([aou])e/g, "$1");
  return plain === word ? undefined : glossCompound(plain, table, table.find(plain));
}
