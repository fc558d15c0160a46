import { readFileSync } from "node:fs";

import { readLanguageFile } from "../../text/language-files.ts";
import { type Language, oncePerLanguage } from "../../text/languages.ts";
import germanPhrases from "../../text/languages/de/phrases.txt" with { type: "file" };
import germanTradeWords from "../../text/languages/de/trade-words.txt" with { type: "file" };
import spanishPhrases from "../../text/languages/es/phrases.txt" with { type: "file" };
import spanishTradeWords from "../../text/languages/es/trade-words.txt" with { type: "file" };
import frenchPhrases from "../../text/languages/fr/phrases.txt" with { type: "file" };
import frenchTradeWords from "../../text/languages/fr/trade-words.txt" with { type: "file" };
import italianPhrases from "../../text/languages/it/phrases.txt" with { type: "file" };
import italianTradeWords from "../../text/languages/it/trade-words.txt" with { type: "file" };
import dutchPhrases from "../../text/languages/nl/phrases.txt" with { type: "file" };
import dutchTradeWords from "../../text/languages/nl/trade-words.txt" with { type: "file" };
import portuguesePhrases from "../../text/languages/pt/phrases.txt" with { type: "file" };
import portugueseTradeWords from "../../text/languages/pt/trade-words.txt" with { type: "file" };
import { normaliseText } from "../../text/normalise.ts";
import { PhraseTable } from "./phrase-table.ts";
import { readPhrases } from "./read-phrases.ts";
import { separateElisions } from "./split-words.ts";
import { WordTable } from "./word-table.ts";

/** What a language's words and phrases are in English. */
export interface GlossTables {
  table: WordTable;
  phrases: PhraseTable;
}

interface GlossFiles {
  phrases: string;
  /** A line a word or `stem*`, and its English: all of it. */
  tradeWords: string;
}

const FILES: Record<Exclude<Language, "en">, GlossFiles> = {
  de: { phrases: germanPhrases, tradeWords: germanTradeWords },
  es: { phrases: spanishPhrases, tradeWords: spanishTradeWords },
  fr: { phrases: frenchPhrases, tradeWords: frenchTradeWords },
  it: { phrases: italianPhrases, tradeWords: italianTradeWords },
  nl: { phrases: dutchPhrases, tradeWords: dutchTradeWords },
  pt: { phrases: portuguesePhrases, tradeWords: portugueseTradeWords },
};

/** The tables of a language, read when they are first asked for; about 15 ms. */
export const glossTablesOf = oncePerLanguage((language): GlossTables => {
  const tables: GlossTables = { table: new WordTable(), phrases: new PhraseTable() };
  if (language === "en") return tables;
  const { phrases, tradeWords } = FILES[language];
  // An entry that is there already stays, so that the glossary comes last.
  readPhrases(
    normaliseText(separateElisions(readFileSync(phrases, "utf8"), language)),
    tables.phrases,
    tables.table,
  );
  addWords(linesOf(tradeWords), tables.table, (english) => english);
  // Of several English words of like meaning the first is taken.
  addWords(readLanguageFile(language, "glossary"), tables.table, (english) => english.split(" ", 1)[0]!);
  return tables;
});

function linesOf(file: string): readonly string[] {
  return readFileSync(file, "utf8").trimEnd().split("\n");
}

function addWords(lines: readonly string[], table: WordTable, choose: (english: string) => string): void {
  // All at once: word by word takes four times as long.
  normaliseText(lines.join("\n"))
    .split("\n")
    .forEach((line, i) => {
      const end = line.indexOf(" ");
      const spelled = lines[i]!;
      table.add(line.slice(0, end), choose(line.slice(end + 1)), spelled.slice(0, spelled.indexOf(" ")));
    });
}
