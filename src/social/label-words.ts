import { isOneEditApart } from "../text/phrases/mend-word.ts";
import { wordsOfMessage } from "../text/phrases/message-words.ts";

const MIN_INFLECTED_LENGTH = 4;
const MAX_ENDING_LENGTH = 2;
const MIN_MISSPELT_LENGTH = 5;

/** The normalised words of a text, without emoji. */
export function plainWords(text: string): string[] {
  return wordsOfMessage(text)
    .filter(({ kind }) => kind === "word")
    .map((word) => word.text);
}

/** Indexes of the labels with a word: equal, with another ending, or with one wrong letter. */
export function labelsWith(word: string, labels: readonly (readonly string[])[]): number[] {
  return labels.flatMap((words, index) => (words.some((other) => isSameWord(word, other)) ? [index] : []));
}

function isSameWord(left: string, right: string): boolean {
  if (left === right) return true;
  if (Math.min(left.length, right.length) >= MIN_MISSPELT_LENGTH && isOneEditApart(left, right)) return true;
  const shared = sharedBeginning(left, right);
  const endings = Math.max(left.length, right.length) - shared;
  return shared >= MIN_INFLECTED_LENGTH && endings <= MAX_ENDING_LENGTH;
}

function sharedBeginning(left: string, right: string): number {
  let shared = 0;
  while (shared < left.length && left[shared] === right[shared]) shared++;
  return shared;
}
