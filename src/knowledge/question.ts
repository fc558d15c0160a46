import { isFunctionWord } from "../text/function-words.ts";
import { finishHash, hashWordText, mixIn } from "../text/word-hash.ts";
import { WORD } from "./characters.ts";
import type { SearchIndex } from "./search-index.ts";
import { foldText, hashPrefix, termsOf, visitUnits } from "./terms.ts";

/** Characters read of a message: enough for its question, and a bound on the cost of hostile ones. Chosen by hand. */
const MAX_CHARACTERS = 2000;
/** Units and terms that are searched: of a long message, the rarest. Some 200 words have so many. Chosen by hand. */
const MAX_UNITS = 96;
const MAX_TERMS = 192;
/** Postings that are read; a question of ten words reads half a million for 100,000 passages. Chosen by hand. */
const MAX_POSTINGS = 1_500_000;

/** A distinct word of a question, or its equivalent in scripts without word boundaries. */
export interface Unit {
  text: string;
  hash: number;
  /** Term of its first letters; undefined if it is too short, or is no word. */
  prefix: number | undefined;
  isWord: boolean;
  /** Whether it contains a digit: then only the same number matches. */
  isNumber: boolean;
  /** Inverse document frequency. */
  weight: number;
  /** Whether it is more than a function word. */
  isContent: boolean;
  /** Indexes of its grams among those of the question; a unit that is no word is its own only gram. */
  grams: readonly number[];
}

/** A message in the form in which it is searched. */
export interface Question {
  terms: readonly number[];
  units: readonly Unit[];
  /** Sum of the weights of all units, and of those that are no function words. */
  totalWeight: number;
  /** Units by their own hash, and by their prefix. */
  byHash: ReadonlyMap<number, number>;
  byPrefix: ReadonlyMap<number, readonly number[]>;
  /** Indexes of grams, by their hashes; and the units with each gram. */
  grams: ReadonlyMap<number, number>;
  unitsOfGram: readonly (readonly number[])[];
}

/** Reads a message as a question to the passages of an index. The cost is bounded for any length. */
export function readQuestion(index: SearchIndex, message: string): Question {
  const text = message.slice(0, MAX_CHARACTERS);
  const terms = affordable(
    index,
    rarest([...termsOf(text)], (hash) => index.rarenessOf(hash), MAX_TERMS),
  );
  const gramPlaces = new Map<number, number>();
  const units = rarest(readUnits(index, text), ({ weight }) => weight, MAX_UNITS).map((unit) => ({
    ...unit,
    grams: placesOf(unit, gramPlaces),
  }));
  const unitsOfGram = Array.from({ length: gramPlaces.size }, (): number[] => []);
  units.forEach(({ grams }, place) => grams.forEach((gram) => unitsOfGram[gram]!.push(place)));
  return {
    terms,
    units,
    totalWeight: sum(units.map(({ weight }) => weight)),
    byHash: new Map(units.map(({ hash }, place) => [hash, place])),
    byPrefix: placesByPrefix(units),
    grams: gramPlaces,
    unitsOfGram,
  };
}

/** Whether a text contains a word of the question in any form, except function words. */
export function holdsWordOf({ units }: Pick<Question, "units">, text: string): boolean {
  const terms = termsOf(text);
  return units.some(
    ({ hash, prefix, isContent, isNumber }) =>
      isContent && (terms.has(hash) || (prefix !== undefined && !isNumber && terms.has(prefix))),
  );
}

/** Leaves out the most frequent terms if looking up all would take too long. */
function affordable(index: SearchIndex, terms: readonly number[]): readonly number[] {
  const ranked = terms.map((hash, place) => ({ hash, place, frequency: index.frequencyOf(hash) }));
  ranked.sort((left, right) => left.frequency - right.frequency || left.place - right.place);
  let postings = 0;
  const kept = ranked.filter(({ frequency }) => (postings += frequency) <= MAX_POSTINGS);
  return kept.toSorted((left, right) => left.place - right.place).map(({ hash }) => hash);
}

type PlainUnit = Omit<Unit, "grams">;

function readUnits(index: SearchIndex, text: string): PlainUnit[] {
  const folded = foldText(text);
  const units = new Map<number, PlainUnit>();
  visitUnits(folded, (start, end, kind) => {
    const word = folded.slice(start, end);
    const hash = hashWordText(word);
    if (units.has(hash)) return;
    const prefix = kind === WORD ? hashPrefix(word) : undefined;
    units.set(hash, {
      text: word,
      hash,
      prefix,
      isWord: kind === WORD,
      isNumber: /\p{N}/u.test(word),
      weight: weightOf(index, hash, prefix),
      isContent: !isFunctionWord(hash),
    });
  });
  return [...units.values()];
}

/** A word without any passage gets the weight of its prefix, if a passage contains that. */
function weightOf(index: SearchIndex, hash: number, prefix: number | undefined): number {
  const isKnown = index.frequencyOf(hash) > 0;
  const isPrefixKnown = prefix !== undefined && index.frequencyOf(prefix) > 0;
  return index.rarenessOf(!isKnown && isPrefixKnown ? prefix : hash);
}

function placesOf({ text, hash, isWord }: PlainUnit, places: Map<number, number>): number[] {
  const found: number[] = [];
  const take = (gram: number) => {
    if (!places.has(gram)) places.set(gram, places.size);
    found.push(places.get(gram)!);
  };
  if (isWord) visitGrams(text, 0, text.length, take);
  else take(hash);
  return found;
}

function placesByPrefix(units: readonly Unit[]): Map<number, number[]> {
  const places = new Map<number, number[]>();
  units.forEach(({ prefix, isNumber }, place) => {
    if (prefix === undefined || isNumber) return;
    places.set(prefix, [...(places.get(prefix) ?? []), place]);
  });
  return places;
}

/** The rarest values, in their own order; all of them if they are few. */
function rarest<T>(values: readonly T[], rarenessOf: (value: T) => number, most: number): readonly T[] {
  if (values.length <= most) return values;
  const ranked = values.map((value, place) => ({ value, place, rareness: rarenessOf(value) }));
  ranked.sort((left, right) => right.rareness - left.rareness || left.place - right.place);
  return ranked
    .slice(0, most)
    .toSorted((left, right) => left.place - right.place)
    .map(({ value }) => value);
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}

/** Differs from the seeds of words and prefixes, so that a gram never equals one of them. */
const GRAM_SEED = 0x1b_87_35_93;
/** Added before and after a word, so that its beginning and end form grams of their own. */
const EDGE = 0x20;
const GRAM_LENGTH = 4;

/** Calls `visit` with the hash of a word and of its grams of four characters, which inflected and compound words share. */
export function visitGrams(text: string, start: number, end: number, visit: (hash: number) => void): void {
  const unitAt = (i: number) => (i < start || i >= end ? EDGE : text.charCodeAt(i));
  let whole = GRAM_SEED ^ 1;
  for (let i = start; i < end; i++) whole = mixIn(whole, text.charCodeAt(i));
  visit(finishHash(whole));
  for (let from = start - 1; from + GRAM_LENGTH <= end + 1; from++) {
    let hash = GRAM_SEED;
    for (let i = from; i < from + GRAM_LENGTH; i++) hash = mixIn(hash, unitAt(i));
    visit(finishHash(hash));
  }
}
