import { parsePattern, type Phrase, type PhraseTable, separableVerb } from "./phrase-table.ts";
import type { WordTable } from "./word-table.ts";

/** What stands between the particle and the verb where they are one word: ab-sagen, ab-ge-sagt, ab-zu-sagen; op-ge-beld. */
const INNER = ["", "ge", "zu"];

/**
 * Reads the phrases of a language, a line each: `words = English`; or `words ... words = English` with others between; or
 * `particle|stem,stem = English` for a separable verb, in one word or with the particle at the end of the clause. A word that ends in `*`
 * is a stem; with nothing behind `=` the phrase vanishes.
 * @param text normalised, with elisions apart.
 */
export function readPhrases(text: string, phrases: PhraseTable, words: WordTable): void {
  for (const line of text.trimEnd().split("\n")) {
    const [pattern, gloss] = line.split(/ = ?/) as [string, string];
    if (pattern.includes("|")) addSeparableVerbs(pattern, gloss, phrases, words);
    else phrases.add(parsePhrase(pattern, gloss));
  }
}

function parsePhrase(pattern: string, gloss: string): Phrase {
  const [head, tail] = pattern.split(" ... ") as [string, string?];
  return { head: parsePatterns(head), tail: tail ? parsePatterns(tail) : [], isBracket: false, gloss };
}

function parsePatterns(words: string) {
  return words.split(/[ -]/).map((word) => parsePattern(word));
}

function addSeparableVerbs(pattern: string, gloss: string, phrases: PhraseTable, words: WordTable): void {
  const [particle, stems] = pattern.split("|") as [string, string];
  for (const stem of stems.split(",")) {
    for (const inner of INNER) words.add(`${particle}${inner}${stem}*`, gloss);
    phrases.add(separableVerb(stem, particle, gloss));
  }
}
