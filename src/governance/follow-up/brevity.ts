import type { Classifier } from "../../domain/decision.ts";
import { JOINTS } from "../suspicion/joints.ts";
import {
  AGREEMENTS,
  BESIDE_AGREEMENTS,
  DISAGREEMENTS,
  REPLIES,
  REQUESTING_WORDS,
  THANKS,
} from "./replies.ts";

const MOST_WORDS = 4;
const MOST_CHARACTERS = 32;
const MOST_WORDS_OF_YES = 5;
/** Behind "and", a new word this short is more likely a pronoun than a subject of its own. */
const LONGEST_NEW_WORD = 5;

/** What a bot's examples say of a text. */
type Examples = Pick<Classifier, "knows" | "isExample">;

const wordsOf = (text: string): string[] =>
  text
    .toLowerCase()
    .replaceAll("’", "'")
    .match(/[\p{L}\p{M}\p{N}']+/gu) ?? [];

/**
 * Whether a text is so short that it may lean on the turn before it, as "yes" and "and the other one?" do: at most four words and 32
 * characters, each word a reply (see replies.ts) or one that an example has; behind a joint, a short new one too. Anything
 * else may be a subject of its own, or none at all.
 */
export function isBrief(text: string, examples: Pick<Examples, "knows">): boolean {
  const words = wordsOf(text);
  if (text.length > MOST_CHARACTERS || words.length > MOST_WORDS) return false;
  const fresh = words.filter((word) => !REPLIES.has(word) && !examples.knows(word));
  const isJoined = words.length > 1 && JOINTS.has(words[0]!);
  return fresh.every((word) => isJoined && word.length <= LONGEST_NEW_WORD && !/\p{N}/u.test(word));
}

/**
 * Whether a text is nothing but replies, and no example by itself: a yes or no, or other words that no example has; a "please" aside. It
 * takes its sense from the turn before it, whatever it looks like: to a classifier that mends typing errors, "yes" is "yet", and the
 * "no" of an example is in many a sentence.
 */
export function isBareReply(text: string, examples: Examples): boolean {
  const words = wordsOf(text);
  const others = words.filter((word) => !REQUESTING_WORDS.has(word));
  const telling = others.length > 0 ? others : words;
  const isSubject = (word: string) =>
    !AGREEMENTS.has(word) && !DISAGREEMENTS.has(word) && examples.knows(word);
  const isReply = words.every((word) => REPLIES.has(word)) && !telling.some(isSubject);
  return isReply && words.length > 0 && !examples.isExample(text) && isBrief(text, examples);
}

/** Whether a text says yes, politely perhaps, and nothing else. */
export function isAgreement(text: string): boolean {
  if (/[?？؟]/u.test(text)) return false;
  const words = wordsOf(text.replaceAll(/\bthank you\b/giu, "thanks"));
  const others = words.filter((word) => !REQUESTING_WORDS.has(word) && !THANKS.has(word));
  return (
    words.length <= MOST_WORDS_OF_YES &&
    others.some((word) => AGREEMENTS.has(word)) &&
    others.every((word) => AGREEMENTS.has(word) || BESIDE_AGREEMENTS.has(word))
  );
}
