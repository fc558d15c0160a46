import { normaliseText } from "../text/normalise.ts";
import { finishHash, mixIn, WORD_SEED } from "../text/word-hash.ts";
import { IDEOGRAPH, kindAt, SEPARATOR, SYLLABLE, widthAt, WORD } from "./characters.ts";

/** Differs from `WORD_SEED`, so that a prefix never equals a word of four letters. */
const PREFIX_SEED = 0x3c_6e_f3_72;
/** Length of the prefix by which inflected forms match; 5 found less (tune half of XQuAD). */
const PREFIX_LETTERS = 4;
/** A Hangul syllable is two or three letters, and particles follow the noun, whose stem mostly has two syllables. */
const HANGUL_PREFIX_LETTERS = 2;
/** Length of a term in scripts of letters without spaces. */
const GRAM_CHARACTERS = 3;

/** Called with the hash of each term, in the order of the text. */
type Visit = (hash: number) => void;
/** Called with the range of each unit and the kind of its characters. */
type VisitUnit = (start: number, end: number, kind: number) => void;

/**
 * Visits the hashed terms of a text: its units, and for each word also its first four letters.
 * @param text from `foldText`.
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
 * The units of a text: words, each ideograph and each pair of adjacent ones, each three adjacent Thai characters.
 * @param text from `foldText`.
 */
export function visitUnits(text: string, visit: VisitUnit): void {
  visitRuns(text, (start, end, kind) => {
    if (kind === WORD) visit(start + articleLength(text, start, end), end, kind);
    else if (kind === IDEOGRAPH) visitIdeographs(text, start, end, visit);
    else visitGrams(text, start, end, visit);
  });
}

/** Runs of characters of one kind, as ranges of code units. @param text from `foldText`. */
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

/** The hash of a word's prefix term; undefined if the word is too short. */
export function hashPrefix(word: string): number | undefined {
  const letters = prefixLetters(word.charCodeAt(0));
  return word.length < letters ? undefined : hashRange(word, 0, letters, PREFIX_SEED);
}

/** Articles, conjunctions and prepositions that Arabic attaches to the following word. The longest is tried first. */
const ARABIC_ARTICLES = ["وال", "بال", "كال", "فال", "ال", "لل"];
const MIN_BEHIND_ARTICLE = 3;

/** Code units of an Arabic article at the beginning of a word; 0 if too little would remain. */
function articleLength(text: string, start: number, end: number): number {
  const first = text.charCodeAt(start);
  if (first < 0x06_00 || first > 0x06_ff) return 0;
  const article = ARABIC_ARTICLES.find((known) => text.startsWith(known, start));
  return article && end - start - article.length >= MIN_BEHIND_ARTICLE ? article.length : 0;
}

const ARABIC = /[\u0600-\u06ff]/;
/** Vowel signs and the tatweel, which most writers leave out. */
const ARABIC_SIGNS = /[\u064b-\u065f\u0670\u0640]/g;
/** Letters that are often written for each other. */
const ARABIC_LETTERS: Record<string, string> = { أ: "ا", إ: "ا", آ: "ا", ٱ: "ا", ى: "ي", ة: "ه" };

/** The form of a text for comparing terms: `normaliseText`, with Arabic spelling variants unified. */
export function foldText(text: string): string {
  const normal = normaliseText(text);
  if (!ARABIC.test(normal)) return normal;
  return normal
    .replaceAll(ARABIC_SIGNS, "")
    .replaceAll(/[أإآٱىة]/g, (letter) => ARABIC_LETTERS[letter] ?? letter);
}
