import { JOINTS } from "./joints.ts";
import { AGREEMENTS, COURTESIES, REPLIES } from "./replies.ts";

const MOST_WORDS = 4;
const MOST_CHARACTERS = 32;
/** Behind "and", a new word this short is more likely a pronoun than a subject of its own. */
const LONGEST_NEW_WORD = 5;

const wordsOf = (text: string): string[] => text.toLowerCase().match(/[\p{L}\p{M}\p{N}']+/gu) ?? [];

/**
 * Whether a text is so short that it may lean on the turn before it, as "yes" and "and the other one?" do: at most four words and 32
 * characters, each word a reply (see replies.ts) or one that an example has; behind a joint, a short new one too. Anything
 * else may be a subject of its own, or none at all.
 */
export function isBrief(text: string, knows: (word: string) => boolean): boolean {
  const words = wordsOf(text);
  if (text.length > MOST_CHARACTERS || words.length > MOST_WORDS) return false;
  const fresh = words.filter((word) => !REPLIES.has(word) && !knows(word));
  const isJoined = words.length > 1 && JOINTS.has(words[0]!);
  return fresh.every((word) => isJoined && word.length <= LONGEST_NEW_WORD && !/\p{N}/u.test(word));
}

const wordsWithoutCourtesies = (text: string): string[] =>
  wordsOf(text).filter((word) => !COURTESIES.has(word));

/**
 * Whether a text is nothing but replies that no example has, courtesies beside them aside. It takes its sense from the turn before it, whatever it
 * looks like: to a classifier that mends typing errors, "yes" is "yet", and "sure" is "sue".
 */
export function isBareReply(text: string, knows: (word: string) => boolean): boolean {
  const all = wordsOf(text);
  const others = wordsWithoutCourtesies(text);
  const telling = others.length > 0 ? others : all;
  const isReply = all.every((word) => REPLIES.has(word)) && !telling.some((word) => knows(word));
  return isReply && all.length > 0 && isBrief(text, knows);
}

/** Whether a text says yes, politely perhaps, and nothing else. */
export function isAgreement(text: string): boolean {
  const words = wordsWithoutCourtesies(text);
  return words.length > 0 && words.length <= MOST_WORDS && words.every((word) => AGREEMENTS.has(word));
}
