import type { Classifier } from "../../../src/domain/decision.ts";
import {
  AGREEMENTS,
  BESIDE_AGREEMENTS,
  DISAGREEMENTS,
  REPLIES,
  REQUESTING_WORDS,
  THANKS,
} from "../../../src/governance/follow-up/replies.ts";
import { GOING_ON, HARMLESS, POINTING_BACK } from "../../../src/text/follow-up-words.ts";
import { isFunctionWord, JOINTS } from "../../../src/text/function-words.ts";
import { normaliseText } from "../../../src/text/normalise.ts";
import { hashWordText } from "../../../src/text/word-hash.ts";

/** "And the other one?" is as long as a message gets that says nothing without the one before it; "tell me a joke" is caught by its words. */
const MOST_WORDS = 4;
/** Four words of eight letters each; also bounds texts in scripts that put no spaces between words. */
const MOST_CHARACTERS = 32;
/** "Yes please, that is it" is a yes of five words. */
const MOST_WORDS_OF_YES = 5;
/** "And what does that cost for two adults with a dog?" goes on; a longer message says what it is about. */
const MOST_WORDS_GOING_ON = 9;
/** With more new words than that, it has a subject of its own. */
const MOST_NEW_WORDS = 1;

/** What a bot's examples say of a text. */
type Examples = Pick<Classifier, "knows" | "isExample">;

/** The words of a text in the spelling of the lists. */
const wordsOf = (text: string): string[] => normaliseText(text).match(/[\p{L}\p{M}\p{N}]+/gu) ?? [];

/**
 * Whether a text is so short that it may lean on the turn before it, as "yes" and "the other one?" do: at most four words and 32
 * characters, each word a reply (see replies.ts) or one that an example has. Anything else may be a subject of its own, or none at all.
 */
export function isBrief(text: string, examples: Pick<Examples, "knows">): boolean {
  const words = wordsOf(text);
  if (text.length > MOST_CHARACTERS || words.length > MOST_WORDS) return false;
  return words.every((word) => REPLIES.has(word) || examples.knows(word));
}

/**
 * Whether a text goes on with what was said before: it begins as such texts do ("and …", "what about …", "und …"), and is short. `surely`
 * where it has no word that could be a subject of its own; `maybe` where one may be.
 */
export function goesOn(text: string, examples: Pick<Examples, "knows">): "surely" | "maybe" | undefined {
  const words = wordsOf(text);
  if (words.length < 2 || words.length > MOST_WORDS_GOING_ON || !beginsAsGoingOn(words)) return undefined;
  const fresh = words.filter((word) => !isNoSubject(word) && !examples.knows(word));
  if (fresh.length === 0) return "surely";
  return fresh.length <= MOST_NEW_WORDS ? "maybe" : undefined;
}

/** Whether a text has a word that it may be about. */
export function hasSubject(text: string): boolean {
  return wordsOf(text).some((word) => !isNoSubject(word));
}

function beginsAsGoingOn(words: readonly string[]): boolean {
  return GOING_ON.has(words[0]!) || JOINTS.has(words[0]!) || POINTING_BACK.test(words.join(" "));
}

function isNoSubject(word: string): boolean {
  if (REPLIES.has(word) || JOINTS.has(word) || HARMLESS.has(word) || GOING_ON.has(word)) return true;
  return /^\p{N}{1,4}\p{L}{0,2}$/u.test(word) || isFunctionWord(hashWordText(word));
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
