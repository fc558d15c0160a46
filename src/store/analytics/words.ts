import { normaliseText } from "../../text/normalise.ts";

/** Characters of a word that are indexed. Longer words are keys and addresses, which their beginning finds as well. Chosen by hand. */
const MAX_WORD_LENGTH = 40;
/** Words of a search that are used. Chosen by hand. */
const MAX_ASKED = 16;

/** The different words of texts, in the form in which spelling variants are the same. */
export function wordsOf(...texts: readonly string[]): Set<string> {
  const words = new Set<string>();
  for (const text of texts) {
    for (const word of normaliseText(text).match(/[\p{L}\p{N}\p{M}]+/gu) ?? [])
      words.add(word.slice(0, MAX_WORD_LENGTH));
  }
  return words;
}

/** The words of a search; each must begin a word of the message or its answer. A word that is a prefix of another is left out. */
export function wordsAsked(search: string): string[] {
  const words = [...wordsOf(search)].slice(0, MAX_ASKED);
  return words.filter((word) => !words.some((other) => other !== word && other.startsWith(word)));
}

/** Whether every asked word begins one of the words. */
export function haveAll(words: ReadonlySet<string>, asked: readonly string[]): boolean {
  const all = [...words];
  return asked.every((wanted) => all.some((word) => word.startsWith(wanted)));
}
