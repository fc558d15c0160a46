import type { Word } from "./split-words.ts";

/** Words between the two parts of a phrase, at most. Chosen by hand, as are the bounds below. */
const WIDEST_GAP = 5;
/** Words between a verb and its particle at the end of the clause, at most. */
const WIDEST_BRACKET = 12;
/** Letters behind the stem of such a verb, at most; so that "Reiseversicherung" is no form of "reisen". */
const LONGEST_VERB_ENDING = 4;

/** What is looked for in a message: a word, or words that begin with a stem. */
interface WordPattern {
  text: string;
  isStem: boolean;
  /** Letters behind a stem, at most. */
  longestEnding: number;
}

/** Words in a row; those behind a gap come a few words later in the same clause. */
export interface Phrase {
  head: readonly WordPattern[];
  /** Behind the gap; empty where there is none. */
  tail: readonly WordPattern[];
  /** The tail stands at the end of its clause, as the particle of a separable verb does. */
  isBracket: boolean;
  /** English words; none where the phrase says nothing. */
  gloss: string;
}

/** A phrase in a message. */
interface FoundPhrase {
  phrase: Phrase;
  /** The number of the word where its tail begins, behind the head where there is no gap. */
  tailStart: number;
}

/** @param token a normalised word; a `*` at its end makes it a stem. */
export function parsePattern(token: string, longestEnding = Number.POSITIVE_INFINITY): WordPattern {
  const isStem = token.endsWith("*");
  return { text: isStem ? token.slice(0, -1) : token, isStem, longestEnding };
}

/** The phrase `particle … verb` of a separable verb. */
export function separableVerb(stem: string, particle: string, gloss: string): Phrase {
  const verb = parsePattern(`${stem}*`, LONGEST_VERB_ENDING);
  return { head: [verb], tail: [parsePattern(particle)], isBracket: true, gloss };
}

/** Phrases by the words that they begin with. */
export class PhraseTable {
  readonly #byWord = new Map<string, Phrase[]>();
  readonly #byStem = new Map<string, Phrase[]>();
  #longestStem = 0;

  add(phrase: Phrase): void {
    const { text, isStem } = phrase.head[0]!;
    const table = isStem ? this.#byStem : this.#byWord;
    const others = table.get(text);
    if (others) others.push(phrase);
    else table.set(text, [phrase]);
    if (isStem) this.#longestStem = Math.max(this.#longestStem, text.length);
  }

  /**
   * The phrase of most words that begins here; of two as long, one with a gap, then one whose first word is listed rather than its stem.
   * @param isTaken words that are parts of other phrases.
   */
  find(words: readonly Word[], start: number, isTaken: Uint8Array): FoundPhrase | undefined {
    const { text } = words[start]!;
    let best = longest(undefined, this.#byWord.get(text), words, start, isTaken);
    for (let length = Math.min(text.length, this.#longestStem); length > 0; length--) {
      best = longest(best, this.#byStem.get(text.slice(0, length)), words, start, isTaken);
    }
    return best;
  }
}

function longest(
  best: FoundPhrase | undefined,
  phrases: readonly Phrase[] | undefined,
  words: readonly Word[],
  start: number,
  isTaken: Uint8Array,
): FoundPhrase | undefined {
  for (const phrase of phrases ?? []) {
    if (best && rank(best.phrase) >= rank(phrase)) continue;
    const tailStart = matchAt(phrase, words, start, isTaken);
    if (tailStart !== undefined) best = { phrase, tailStart };
  }
  return best;
}

function rank({ head, tail }: Phrase): number {
  return 2 * (head.length + tail.length) + Math.min(1, tail.length);
}

function matchAt(phrase: Phrase, words: readonly Word[], start: number, isTaken: Uint8Array) {
  const { head, tail } = phrase;
  if (!standsAt(head, words, start, isTaken)) return undefined;
  const end = start + head.length;
  return tail.length === 0 ? end : findTail(phrase, words, end, isTaken);
}

function standsAt(
  patterns: readonly WordPattern[],
  words: readonly Word[],
  start: number,
  isTaken: Uint8Array,
): boolean {
  if (start + patterns.length > words.length) return false;
  return patterns.every((pattern, i) => {
    const word = words[start + i]!;
    const isInside = i < patterns.length - 1;
    return !isTaken[start + i] && fits(pattern, word.text) && !(isInside && word.endsClause);
  });
}

function fits({ text, isStem, longestEnding }: WordPattern, word: string): boolean {
  return isStem ? word.startsWith(text) && word.length - text.length <= longestEnding : word === text;
}

function findTail({ tail, isBracket }: Phrase, words: readonly Word[], from: number, isTaken: Uint8Array) {
  const last = Math.min(words.length - 1, from + (isBracket ? WIDEST_BRACKET : WIDEST_GAP));
  for (let at = from; at <= last && !words[at - 1]!.endsClause; at++) {
    if (standsAt(tail, words, at, isTaken) && (!isBracket || endsClause(words, at))) return at;
  }
  return undefined;
}

function endsClause(words: readonly Word[], at: number): boolean {
  return words[at]!.endsClause || words[at + 1]?.joinsClauses === true;
}
