import { normaliseText } from "../text/normalise.ts";
import { finishHash, mixIn, WORD_SEED } from "../text/word-hash.ts";
import { IDEOGRAPH, kindAt, SEPARATOR, SYLLABLE, widthAt, WORD } from "./characters.ts";

/** Apart from `WORD_SEED`, so that the beginning of a word is never taken for a word of four letters. */
const PREFIX_SEED = 0x3c_6e_f3_72;
/** Length of the prefix by which inflected forms match; 5 found less (tune half of XQuAD). */
const PREFIX_LETTERS = 4;
/** A syllable of Hangul is two or three letters, and particles follow the noun: its stem is mostly two syllables. */
const HANGUL_PREFIX_LETTERS = 2;
/** Characters of a term in scripts without word boundaries whose characters are letters. */
const GRAM_CHARACTERS = 3;

/** Called with the hash of each term, in the order of the text. */
type Visit = (hash: number) => void;
/** Called with the place of each unit and the kind of its characters. */
type VisitUnit = (start: number, end: number, kind: number) => void;

/**
 * Takes a text apart into hashed terms: its units, and of each word its first four letters besides.
 * @param text as `foldText` makes it.
 */
export function visitTerms(text: string, visit: Visit): void {
  visitUnits(text, (start, end, kind) => {
    visit(hashRange(text, start, end, WORD_SEED));
    const letters = kind === WORD ? prefixLetters(text.charCodeAt(start)) : Infinity;
    if (end - start >= letters) visit(hashRange(text, start, start + letters, PREFIX_SEED));
  });
}

/** The distinct terms of a text. */
export function termsOf(text: string): Set<number> {
  const terms = new Set<number>();
  visitTerms(foldText(text), (hash) => terms.add(hash));
  return terms;
}

/**
 * The units of a text: words, each ideograph and each two neighbours, each three Thai characters in a row.
 * @param text as `foldText` makes it.
 */
export function visitUnits(text: string, visit: VisitUnit): void {
  visitRuns(text, (start, end, kind) => {
    if (kind === WORD) visit(start + articleLength(text, start, end), end, kind);
    else if (kind === IDEOGRAPH) visitIdeographs(text, start, end, visit);
    else visitGrams(text, start, end, visit);
  });
}

/** Runs of characters of one kind, as ranges of code units. @param text as `foldText` makes it. */
function visitRuns(text: string, visit: VisitUnit): void {
  let start = 0;
  let kind = SEPARATOR;
  for (let at = 0; at < text.length; at += widthAt(text, at)) {
    const found = kindAt(text, at);
    if (found === kind) continue;
    if (kind !== SEPARATOR) visit(start, at, kind);
    start = at;
    kind = found;
  }
  if (kind !== SEPARATOR) visit(start, text.length, kind);
}

function prefixLetters(first: number): number {
  return isHangul(first) ? HANGUL_PREFIX_LETTERS : PREFIX_LETTERS;
}

function isHangul(codeUnit: number): boolean {
  return codeUnit >= 0xac_00 && codeUnit <= 0xd7_a3;
}

function visitIdeographs(text: string, start: number, end: number, visit: VisitUnit): void {
  let previous = -1;
  for (let at = start; at < end; at += widthAt(text, at)) {
    const next = at + widthAt(text, at);
    visit(at, next, IDEOGRAPH);
    if (previous >= 0) visit(previous, next, IDEOGRAPH);
    previous = at;
  }
}

function visitGrams(text: string, start: number, end: number, visit: VisitUnit): void {
  let from = start;
  let characters = 0;
  for (let at = start; at < end;) {
    at += widthAt(text, at);
    characters++;
    if (characters < GRAM_CHARACTERS) continue;
    visit(from, at, SYLLABLE);
    from += widthAt(text, from);
  }
  if (characters < GRAM_CHARACTERS) visit(start, end, SYLLABLE);
}

function hashRange(text: string, start: number, end: number, seed: number): number {
  let hash = seed;
  for (let i = start; i < end; i++) hash = mixIn(hash, text.charCodeAt(i));
  return finishHash(hash);
}

/** The hash of the term that a word's first letters are; undefined where it has too few. */
export function hashPrefix(word: string): number | undefined {
  const letters = prefixLetters(word.charCodeAt(0));
  return word.length < letters ? undefined : hashRange(word, 0, letters, PREFIX_SEED);
}

/** Articles, conjunctions and prepositions that Arabic writes together with the word behind. The longest is tried first. */
const ARABIC_ARTICLES = ["وال", "بال", "كال", "فال", "ال", "لل"];
const LEAST_BEHIND_ARTICLE = 3;

/** Code units of an Arabic article that a word begins with; 0 where too little would remain. */
function articleLength(text: string, start: number, end: number): number {
  const first = text.charCodeAt(start);
  if (first < 0x06_00 || first > 0x06_ff) return 0;
  const article = ARABIC_ARTICLES.find((known) => text.startsWith(known, start));
  return article && end - start - article.length >= LEAST_BEHIND_ARTICLE ? article.length : 0;
}

const ARABIC = /[\u0600-\u06ff]/;
/** Vowel signs and the stretching stroke, which most writers leave out. */
const ARABIC_SIGNS = /[\u064b-\u065f\u0670\u0640]/g;
/** Letters that are often written for one another. */
const ARABIC_LETTERS: Record<string, string> = { أ: "ا", إ: "ا", آ: "ا", ٱ: "ا", ى: "ي", ة: "ه" };

/** The form of a text in which terms are looked for: `normaliseText`, and spelling variants of Arabic as one. */
export function foldText(text: string): string {
  const normal = normaliseText(text);
  if (!ARABIC.test(normal)) return normal;
  return normal
    .replaceAll(ARABIC_SIGNS, "")
    .replaceAll(/[أإآٱىة]/g, (letter) => ARABIC_LETTERS[letter] ?? letter);
}
