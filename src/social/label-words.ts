import { isOneEditApart } from "../text/phrases/mend-word.ts";
import { wordsOfMessage } from "../text/phrases/message-words.ts";

const SHORTEST_INFLECTED = 4;
const LONGEST_ENDING = 2;
const SHORTEST_MISSPELT = 5;

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
  if (Math.min(left.length, right.length) >= SHORTEST_MISSPELT && isOneEditApart(left, right)) return true;
  const shared = sharedBeginning(left, right);
  const endings = Math.max(left.length, right.length) - shared;
  return shared >= SHORTEST_INFLECTED && endings <= LONGEST_ENDING;
}

function sharedBeginning(left: string, right: string): number {
  let shared = 0;
  while (shared < left.length && left[shared] === right[shared]) shared++;
  return shared;
}
