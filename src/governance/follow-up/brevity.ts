import type { Classifier } from "../../domain/decision.ts";
import { JOINTS } from "../../text/joints.ts";
import { normaliseText } from "../../text/normalise.ts";
import {
  AGREEMENTS,
  BESIDE_AGREEMENTS,
  DISAGREEMENTS,
  REPLIES,
  REQUESTING_WORDS,
  THANKS,
} from "./replies.ts";

/** "And the other one?" is as long as a message gets that says nothing without the one before it; "tell me a joke" is caught by its words. */
const MOST_WORDS = 4;
/** Four words of eight letters each; also bounds texts in scripts that put no spaces between words. */
const MOST_CHARACTERS = 32;
/** "Yes please, that is it" is a yes of five words. */
const MOST_WORDS_OF_YES = 5;
/** Behind "and", a new word this short is more likely a pronoun than a subject of its own. */
const LONGEST_NEW_WORD = 5;

/** What a bot's examples say of a text. */
type Examples = Pick<Classifier, "knows" | "isExample">;

/** The words of a text in the spelling of the lists. */
const wordsOf = (text: string): string[] => normaliseText(text).match(/[\p{L}\p{M}\p{N}]+/gu) ?? [];

/**
 * Whether a text is so short that it may lean on the turn before it, as "yes" and "and the other one?" do: at most four words and 32
 * characters, each word a reply (see replies.ts) or one that an example has. Behind a joint, a short new word may follow. Anything
 * else may be a subject of its own, or none at all.
 */
export function isBrief(text: string, examples: Pick<Examples, "knows">): boolean {
  const words = wordsOf(text);
  if (text.length > MOST_CHARACTERS || words.length > MOST_WORDS) return false;
  const isJoined = words.length > 1 && JOINTS.has(words[0]!);
  const telling = isJoined ? words.filter((word) => !JOINTS.has(word)) : words;
  const fresh = telling.filter((word) => !REPLIES.has(word) && !examples.knows(word));
  return fresh.every((word) => isJoined && word.length <= LONGEST_NEW_WORD && !/\p{N}/u.test(word));
}

/**
 * Whether a text is nothing but replies, and no example by itself. A "yes" or "no" is a reply even where an example has the word, since
 * a "no" stands in many a sentence; any other reply only where no example has it; a "please" says nothing either way. Such a text takes
 * its sense from the turn before it, whatever it looks like: to a classifier that mends typing errors, "yes" looks like "yet".
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
