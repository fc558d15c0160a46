import type { KnowsWord } from "./knows-word.ts";

/** Three signs with two readings each; in words with more, the likeliest reading of the others is taken. */
const MOST_READINGS = 8;
/** Splitting takes time by the square of the length; a request that is written without spaces is shorter. */
export const LONGEST_GLUED = 100;
/** Shorter words are hardly ever two. */
export const SHORTEST_GLUED = 6;
/** Share of the characters that may stay unknown. */
export const MOST_UNKNOWN_GLUED = 1 / 5;
/** Longer words are rare in requests, and every length is one more try at each place. */
export const LONGEST_WORD = 20;
/** The cost of a stray letter within a split, or of an ending of two letters: more than three unknown characters cost. */
const STRAY_COST = 9;
/** Longer runs of letters and digits are serial numbers, links or data. */
const LONGEST_GUESSED = 24;

/** What digits and signs stand for in "leetspeak"; the first is the likeliest. */
const LEET: Readonly<Record<string, string>> = {
  "0": "o",
  "1": "il",
  "2": "z",
  "3": "e",
  "4": "a",
  "5": "s",
  "6": "gb",
  "7": "t",
  "8": "b",
  "9": "g",
  "@": "a",
  $: "s",
  "!": "il",
  "|": "li",
  "+": "t",
  "€": "e",
  "£": "l",
  "¢": "c",
  "(": "c",
  "<": "c",
  "¥": "y",
};

/** All readings of the signs in a word as letters, likeliest first; a bounded number. */
export function leetReadings(word: string): string[] {
  let readings = [""];
  for (const character of word) {
    const letters = Array.from(LEET[character] ?? "");
    if (letters.length === 0) letters.push(character);
    if (readings.length * letters.length > MOST_READINGS) letters.length = 1;
    readings = readings.flatMap((start) => letters.map((letter) => start + letter));
  }
  return readings;
}

/** Stretched letters as they may have been meant: once, twice, half as often, or once wherever they repeat. */
function squeezed(word: string): string[] {
  if (!/(\p{L})\1/iu.test(word)) return [];
  const once = word.replaceAll(/(\p{L})\1{2,}/giu, "$1");
  const twice = word.replaceAll(/(\p{L})\1{2,}/giu, "$1$1");
  const half = word.replaceAll(/(\p{L})\1+/giu, (run) => run.slice(0, Math.ceil(run.length / 2)));
  return [once, twice, half, word.replaceAll(/(\p{L})\1+/giu, "$1")];
}

const withoutSigns = (word: string): string => word.replaceAll(/[^\p{L}\p{M}\p{N}]/gu, "");

function* candidates(word: string): Generator<string> {
  const bare = withoutSigns(word);
  const forms = [...new Set([word, word.replaceAll(/(?<=\p{L})I|I(?=\p{Ll})/gu, "l"), bare])];
  for (const form of forms) {
    yield form;
    for (const reading of leetReadings(form)) {
      yield reading;
      yield* squeezed(reading);
    }
  }
  yield* squeezed(bare);
}

/** The cost of one more unknown character: as much as a known word of one letter. */
export const UNKNOWN_COST = 3;

/** Words of three letters and more cost 1, shorter ones more. */
export function wordCost(from: number, end: number, length: number): number {
  const size = end - from;
  if (size === 1 && from > 0) return STRAY_COST;
  // "ed" and "er" at the end are endings rather than words.
  if (size === 2 && end === length) return STRAY_COST;
  return Math.max(1, 4 - size);
}

/** The split of a text without spaces into known words and unknown characters that costs least. */
function cheapestSplit(glued: string, knows: KnowsWord): { words: string[]; unknown: number } {
  const best = [{ cost: 0, from: -1, unknown: 0 }];
  for (let end = 1; end <= glued.length; end++) {
    const before = best[end - 1]!;
    best[end] = { cost: before.cost + UNKNOWN_COST, from: end - 1, unknown: before.unknown + 1 };
    for (let from = Math.max(0, end - LONGEST_WORD); from < end; from++) {
      const cost = best[from]!.cost + wordCost(from, end, glued.length);
      if (cost < best[end]!.cost && knows(glued.slice(from, end))) {
        best[end] = { cost, from, unknown: best[from]!.unknown };
      }
    }
  }
  const words: string[] = [];
  for (let end = glued.length; end > 0; end = best[end]!.from)
    words.unshift(glued.slice(best[end]!.from, end));
  return { words, unknown: best[glued.length]!.unknown };
}

/** Known words that were written without spaces, apart again; undefined when more than a fifth of the characters stays unknown. */
export function unglued(glued: string, knows: KnowsWord): string | undefined {
  if (glued.length < SHORTEST_GLUED || glued.length > LONGEST_GLUED) return undefined;
  if (/[^\p{Script=Latin}\p{Script=Cyrillic}\p{Script=Greek}]/u.test(glued)) return undefined;
  const { words, unknown } = cheapestSplit(glued.toLowerCase(), knows);
  const told = words.some((word) => word.length > 2 && knows(word));
  return told && words.length > 1 && unknown <= glued.length * MOST_UNKNOWN_GLUED
    ? words.join(" ")
    : undefined;
}

/** Words joined by signs instead of spaces, such as `delete-my_account`, apart again; undefined when fewer than half are known. */
function unjoined(word: string, knows: KnowsWord): string | undefined {
  const parts = word.split(/[^\p{L}\p{M}\p{N}'’]+/u).filter((part) => part !== "");
  const known = parts.filter((part) => part.length > 1 && knows(part));
  return parts.length > 1 && known.length * 2 >= parts.length ? parts.join(" ") : undefined;
}

const isSpelledBySigns = (word: string): boolean =>
  /^[\p{L}\p{N}](?:[^\p{L}\p{M}\p{N}]+[\p{L}\p{N}]){2,}$/u.test(word);

/** An unknown word without what its form alone gives away: stretched letters, and digits in the midst of more letters. */
function guessed(word: string): string {
  if (word.length > LONGEST_GUESSED) return word;
  const letters = word.match(/\p{L}/gu)?.length ?? 0;
  const signs = word.match(/[0-9@$!|+€£¢(<¥]/gu)?.length ?? 0;
  const isOther = /^\p{L}+\d+$|[^\p{L}\p{M}\p{N}@$!|+€£¢(<¥]/u.test(word);
  const isLeet = signs > 0 && letters > signs && !isOther;
  return (isLeet ? leetReadings(word)[0]! : word).replaceAll(/(\p{L})\1{2,}/giu, "$1");
}

/**
 * A word with leetspeak, stretched letters, signs between letters and missing spaces undone. Known words decide
 * between readings; a word that stays unknown is changed only where its form alone gives it away.
 */
export function plainWord(word: string, knows: KnowsWord): string {
  if (knows(word) || !/\p{L}|\d\D|\D\d/u.test(word)) return word;
  for (const candidate of candidates(word)) if (candidate !== "" && knows(candidate)) return candidate;
  const apart = unjoined(word, knows);
  if (apart !== undefined) return apart;
  const bare = withoutSigns(word);
  for (const reading of leetReadings(bare)) {
    const split = unglued(reading, knows);
    if (split !== undefined) return split;
  }
  return guessed(isSpelledBySigns(word) ? bare : word);
}
