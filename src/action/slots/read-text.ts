import type { ReadSlot } from "./slot-reading.ts";

/** Maximum length of a value, in characters. */
export const MAX_TEXT_LENGTH = 200;
/** Words of a message in which a value is looked for, and words of a value: a longer message rarely only gives a value. */
const MAX_WORDS = 100;
const WORDS_OF_VALUE = 4;

const AROUND = /^[^\p{L}\p{N}+]+|[^\p{L}\p{N}]+$/gu;

/**
 * Texts that match the slot's whole pattern. In a reply, the whole text is tried first; in other messages only words with a digit, like
 * order and customer numbers, because a pattern such as `.+` would match every word.
 */
export const readText: ReadSlot = (text, { pattern = ".+" }, { isAsked }) => {
  const whole = wholePattern(pattern);
  const reply = text.trim().replace(/[.!?]+$/u, "");
  if (isAsked && reply.length <= MAX_TEXT_LENGTH && whole.test(reply)) return [{ value: reply }];
  const words = text.split(/\s+/u).slice(0, MAX_WORDS);
  const found: string[] = [];
  for (let at = 0; at < words.length;) {
    const taken = longestAt(words, at, (value) => whole.test(value) && /\p{Nd}/u.test(value));
    if (taken !== undefined) found.push(taken.value);
    at += taken?.words ?? 1;
  }
  return found.map((value) => ({ value }));
};

const patterns = new Map<string, RegExp>();
const MAX_PATTERNS = 1000;

/** A pattern anchored to the whole value; it was checked when the bot was seeded. */
export function wholePattern(pattern: string): RegExp {
  const known = patterns.get(pattern);
  if (known) return known;
  if (patterns.size >= MAX_PATTERNS) patterns.clear();
  const compiled = new RegExp(`^(?:${pattern})$`, "u");
  patterns.set(pattern, compiled);
  return compiled;
}

/** The longest value that starts at a word: as written, or without spaces ("482 13"). */
function longestAt(
  words: readonly string[],
  at: number,
  isValue: (text: string) => boolean,
): { value: string; words: number } | undefined {
  for (let count = Math.min(WORDS_OF_VALUE, words.length - at); count > 0; count -= 1) {
    const some = words.slice(at, at + count);
    const written = some.join(" ").replaceAll(AROUND, "");
    if (written === "" || written.length > MAX_TEXT_LENGTH) continue;
    if (isValue(written)) return { value: written, words: count };
    const joined = written.replaceAll(/[\s-]/gu, "");
    if (isAllDigits(some) && isValue(joined)) return { value: joined, words: count };
  }
  return undefined;
}

const isAllDigits = (words: readonly string[]): boolean =>
  words.every((word) => /^[#(]?[\d-]+[.,;!?)]*$/.test(word));
