import type { Classifier } from "../../domain/decision.ts";
import { GOING_ON, HARMLESS, pointsBack } from "../../text/follow-up-words.ts";
import { isFunctionWord, JOINTS } from "../../text/function-words.ts";
import { normaliseText } from "../../text/normalise.ts";
import { hashWordText } from "../../text/word-hash.ts";
import {
  AGREEMENTS,
  BESIDE_AGREEMENTS,
  DISAGREEMENTS,
  REPLIES,
  REQUESTING_WORDS,
  THANKS,
} from "./replies.ts";

/**
 * Words of the longest message that says nothing without the one before it ("And the other one?"). "Tell me a joke" is excluded by its
 * words.
 */
const MAX_WORDS = 4;
/** Four words of eight letters; also limits texts in scripts without spaces. */
const MAX_CHARACTERS = 32;
/** "Yes please, that is it" is a yes of five words. */
const MAX_WORDS_OF_YES = 5;
/** Longest follow-up in words, such as "And what does that cost for two adults with a dog?"; longer messages name their subject. */
const MAX_WORDS_GOING_ON = 9;
/** With more unknown words, a message has a subject of its own. */
const MAX_NEW_WORDS = 1;

/** The parts of the classifier that are used. */
type Examples = Pick<Classifier, "knows" | "isExample">;

/** Words of a text in the spelling of the lists. */
const wordsOf = (text: string): readonly string[] => normaliseText(text).match(/[\p{L}\p{M}\p{N}]+/gu) ?? [];

/**
 * Whether a text may depend on the turn before because it is brief, such as "yes" and "the other one?": at most four words and 32
 * characters, with every word a reply (replies.ts) or in an example. Other words may be a subject of their own.
 */
export function isBrief(text: string, examples: Pick<Examples, "knows">): boolean {
  const words = wordsOf(text);
  if (text.length > MAX_CHARACTERS || words.length > MAX_WORDS) return false;
  return words.every((word) => REPLIES.has(word) || examples.knows(word));
}

/**
 * Whether a text continues the turn before: it is short and begins like such texts ("and …", "what about …", "und …"). `surely` if no word
 * can be its own subject, else `maybe`.
 */
export function goesOn(text: string, examples: Pick<Examples, "knows">): "surely" | "maybe" | undefined {
  const words = wordsOf(text);
  if (words.length < 2 || words.length > MAX_WORDS_GOING_ON || !beginsAsGoingOn(words)) return undefined;
  const fresh = words.filter((word) => !isNoSubject(word) && !examples.knows(word));
  if (fresh.length === 0) return "surely";
  return fresh.length <= MAX_NEW_WORDS ? "maybe" : undefined;
}

/** Whether a text has a word that can be its subject. */
export function hasSubject(text: string): boolean {
  return wordsOf(text).some((word) => !isNoSubject(word));
}

/** Whether a text has a possible subject that is in no example, so that it may name something denied. */
export function bringsWord(text: string, examples: Pick<Examples, "knows">): boolean {
  return wordsOf(text).some((word) => !isNoSubject(word) && !examples.knows(word));
}

function beginsAsGoingOn(words: readonly string[]): boolean {
  return GOING_ON.has(words[0]!) || JOINTS.has(words[0]!) || pointsBack(words);
}

function isNoSubject(word: string): boolean {
  if (REPLIES.has(word) || JOINTS.has(word) || HARMLESS.has(word) || GOING_ON.has(word)) return true;
  return /^\p{N}{1,4}\p{L}{0,2}$/u.test(word) || isFunctionWord(hashWordText(word));
}

/**
 * Whether a text consists of replies only and is no example itself. "Yes" and "no" count as replies even if an example contains them; other
 * replies only if no example does; "please" is neutral. The meaning of such a text comes from the turn before, whatever the classifier
 * says, because with typing errors mended "yes" resembles "yet".
 */
export function isBareReply(text: string, examples: Examples): boolean {
  const words = wordsOf(text);
  if (words.length === 0 || !words.every((word) => REPLIES.has(word))) return false;
  const others = words.filter((word) => !REQUESTING_WORDS.has(word));
  const telling = others.length > 0 ? others : words;
  const isSubject = (word: string) =>
    !AGREEMENTS.has(word) && !DISAGREEMENTS.has(word) && examples.knows(word);
  return !telling.some(isSubject) && !examples.isExample(text) && isBrief(text, examples);
}

/** Whether a text says yes and nothing else; politeness is allowed. */
export function isAgreement(text: string): boolean {
  if (/[?？؟]/u.test(text)) return false;
  const words = wordsOf(/thank/i.test(text) ? text.replaceAll(/\bthank you\b/giu, "thanks") : text);
  if (words.length > MAX_WORDS_OF_YES) return false;
  const others = words.filter((word) => !REQUESTING_WORDS.has(word) && !THANKS.has(word));
  return (
    others.some((word) => AGREEMENTS.has(word)) &&
    others.every((word) => AGREEMENTS.has(word) || BESIDE_AGREEMENTS.has(word))
  );
}
