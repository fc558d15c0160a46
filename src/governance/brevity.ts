import { JOINTS } from "./joints.ts";

const MOST_WORDS = 4;
const MOST_CHARACTERS = 32;
/** A new word this short may be a "yes" or "sure" of some language; a longer one may be a new subject. */
const LONGEST_NEW_WORD = 5;
/** More words than these, and new ones among them, are a sentence of their own. */
const MOST_NEW_WORDS = 2;

/**
 * Whether a text is so short that it may lean on the turn before it, as "yes" and "and the other one?" do: at most four words and 32
 * characters, without a number and without a new word of more than five letters; with more than two words, either
 * none is new or the first one joins. New are words that no example has.
 */
export function isBrief(text: string, knows: (word: string) => boolean): boolean {
  const words = text.toLowerCase().match(/[\p{L}\p{M}\p{N}]+/gu) ?? [];
  if (text.length > MOST_CHARACTERS || words.length > MOST_WORDS) return false;
  const fresh = words.filter((word) => !knows(word));
  if (fresh.some((word) => /\p{N}/u.test(word) || word.length > LONGEST_NEW_WORD)) return false;
  return fresh.length === 0 || words.length <= MOST_NEW_WORDS || JOINTS.has(words[0]!);
}
