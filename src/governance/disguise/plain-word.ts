/** Whether a word occurs in the classifier's training examples. */
export type KnowsWord = (word: string) => boolean;

/** Common parts of web and e-mail addresses: the scheme, "www" and the most frequent endings. */
const COMMON_PARTS = /\bhttps?:\/\/|\bwww\.|\.(?:com|net|org)\b/gi;

/**
 * Removes the common parts of addresses. To a bot with few examples, or none in Latin letters, they would resemble any word with the same
 * beginning, so that a pasted link could be taken for a denied request. Paths and queries stay, because they may contain a request, and so
 * does a part that is also in an example, as in "ASP.NET hosting".
 */
export function withoutCommonAddressParts(text: string, knows: KnowsWord): string {
  return text.replaceAll(COMMON_PARTS, (part) => (knows(part.replaceAll(/[:/.]/g, "")) ? part : ""));
}

/** Three signs with two readings each; further signs get their most likely reading. */
const MAX_READINGS = 8;
/** Splitting takes quadratic time; a request without spaces is shorter than this. */
export const MAX_GLUED_LENGTH = 100;
/** Shorter words are hardly ever two words. */
export const MIN_GLUED_LENGTH = 6;
/** Largest share of characters that may be in no known word. */
export const MAX_UNKNOWN_GLUED = 1 / 5;
/** Longer words are rare, and each length costs a look-up per position. */
export const MAX_WORD_LENGTH = 20;
/** Cost of a single letter within a split, or of a two-letter ending: more than three unknown characters. Chosen by hand. */
const STRAY_COST = 9;
/** Longer runs of letters and digits are serial numbers, links or data. */
const MAX_GUESSED_LENGTH = 24;

/** Each digit and sign of leetspeak, followed by the letters that it stands for, most likely first. */
const LEET = new Map(
  "0o 1il 2z 3e 4a 5s 6gb 7t 8b 9g @a $s !il |li +t €e £l ¢c (c <c ¥y"
    .split(" ")
    .map((pair) => [pair.slice(0, 1), pair.slice(1)]),
);

/** All readings of the signs in a word as letters, most likely first, up to a limit. */
export function leetReadings(word: string): string[] {
  let readings = [""];
  for (const character of word) {
    const letters = Array.from(LEET.get(character) ?? "");
    if (letters.length === 0) letters.push(character);
    if (readings.length * letters.length > MAX_READINGS) letters.length = 1;
    readings = readings.flatMap((start) => letters.map((letter) => start + letter));
  }
  return readings;
}

/** Possible spellings of repeated letters: once, twice, half as often, or once everywhere. */
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

/** Cost of an unknown character: that of a known one-letter word. Chosen by hand. */
export const UNKNOWN_COST = 3;

/** A word of three or more letters costs 1, shorter ones cost more. */
export function wordCost(from: number, end: number, length: number): number {
  const size = end - from;
  if (size === 1 && from > 0) return STRAY_COST;
  // At the end, "ed" and "er" are endings rather than words.
  if (size === 2 && end === length) return STRAY_COST;
  return Math.max(1, 4 - size);
}

/** The cheapest split of a text without spaces into known words and unknown characters. */
function cheapestSplit(glued: string, knows: KnowsWord): { words: string[]; unknown: number } {
  const best = [{ cost: 0, from: -1, unknown: 0 }];
  for (let end = 1; end <= glued.length; end++) {
    const before = best[end - 1]!;
    best[end] = { cost: before.cost + UNKNOWN_COST, from: end - 1, unknown: before.unknown + 1 };
    for (let from = Math.max(0, end - MAX_WORD_LENGTH); from < end; from++) {
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

/** Splits known words written without spaces; undefined if more than a fifth of the characters is in no known word. */
export function unglued(glued: string, knows: KnowsWord): string | undefined {
  if (glued.length < MIN_GLUED_LENGTH || glued.length > MAX_GLUED_LENGTH) return undefined;
  if (/[^\p{Script=Latin}\p{Script=Cyrillic}\p{Script=Greek}]/u.test(glued)) return undefined;
  const { words, unknown } = cheapestSplit(glued.toLowerCase(), knows);
  const told = words.some((word) => word.length > 2 && knows(word));
  return told && words.length > 1 && unknown <= glued.length * MAX_UNKNOWN_GLUED
    ? words.join(" ")
    : undefined;
}

/** Splits words joined by signs, such as `delete-my_account`; undefined if fewer than half are known. */
function unjoined(word: string, knows: KnowsWord): string | undefined {
  const parts = word.split(/[^\p{L}\p{M}\p{N}'’]+/u).filter((part) => part !== "");
  const known = parts.filter((part) => part.length > 1 && knows(part));
  return parts.length > 1 && known.length * 2 >= parts.length ? parts.join(" ") : undefined;
}

const isSpelledBySigns = (word: string): boolean =>
  /^[\p{L}\p{N}](?:[^\p{L}\p{M}\p{N}]+[\p{L}\p{N}]){2,}$/u.test(word);

/** An unknown word with obvious disguises removed: repeated letters, and digits among letters. */
function guessed(word: string): string {
  if (word.length > MAX_GUESSED_LENGTH) return word;
  const letters = word.match(/\p{L}/gu)?.length ?? 0;
  const signs = word.match(/[0-9@$!|+€£¢(<¥]/gu)?.length ?? 0;
  const isOther = /^\p{L}+\d+$|[^\p{L}\p{M}\p{N}@$!|+€£¢(<¥]/u.test(word);
  const isLeet = signs > 0 && letters > signs && !isOther;
  return (isLeet ? leetReadings(word)[0]! : word).replaceAll(/(\p{L})\1{2,}/giu, "$1");
}

/**
 * Undoes leetspeak, repeated letters, signs between letters and missing spaces. Known words decide between readings; a word that stays
 * unknown is changed only if its form is obviously disguised.
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
