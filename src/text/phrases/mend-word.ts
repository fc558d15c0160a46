import { keptWithWord, type KnownWord } from "./known-word.ts";

const MIN_MENDED_LENGTH = 5;
const MIN_SQUEEZED_LENGTH = 4;

/** Stands for words outside the vocabulary. */
export const UNKNOWN_WORD = "";

/** A vocabulary, indexed for finding misspelled words. */
interface IndexedWords {
  vocabulary: ReadonlySet<string>;
  /** By spelling without double letters. */
  bySqueezed: ReadonlyMap<string, string>;
  /** Words of five or more letters, by first letter. */
  longByInitial: ReadonlyMap<string, readonly string[]>;
  /** Words for abbreviations. */
  abbreviations: ReadonlyMap<string, readonly string[]>;
}

/** A vocabulary for the words of many messages. */
export interface MendableWords extends IndexedWords {
  /** `mendWord` with cached results; `UNKNOWN_WORD` if the vocabulary has no such word. */
  find(word: KnownWord, withTypos: boolean): string;
}

/** Prepares a vocabulary. */
export function mendableWords(
  vocabulary: ReadonlySet<string>,
  abbreviations: IndexedWords["abbreviations"],
): MendableWords {
  const words = indexWords(vocabulary, abbreviations);
  const known = (meant: string): string => (vocabulary.has(meant) ? meant : UNKNOWN_WORD);
  const find = keptWithWord((word) => known(mendWord(word, words, false)));
  const findWithTypos = keptWithWord((word) => known(mendWord(word, words, true)));
  return { ...words, find: (word, withTypos) => (withTypos ? findWithTypos(word) : find(word)) };
}

function indexWords(
  vocabulary: ReadonlySet<string>,
  abbreviations: IndexedWords["abbreviations"],
): IndexedWords {
  const bySqueezed = new Map<string, string>();
  const longByInitial = new Map<string, string[]>();
  for (const word of vocabulary) {
    if (!bySqueezed.has(squeezed(word))) bySqueezed.set(squeezed(word), word);
    if (word.length < MIN_MENDED_LENGTH) continue;
    const initial = word.charAt(0);
    longByInitial.set(initial, [...(longByInitial.get(initial) ?? []), word]);
  }
  return { vocabulary, bySqueezed, longByInitial, abbreviations };
}

/** A word without double letters. */
export const squeezed = (word: string): string => word.replaceAll(/(.)\1+/gu, "$1");

/** A word with "ae", "oe", "ue" replaced by plain letters. */
export const withoutUmlauts = (word: string): string => word.replaceAll(/([aou])e/g, "$1");

/** A letter three times, or the last one twice: "sooo", "heyy". */
const isDrawnOut = (word: string): boolean => /(.)\1\1|(.)\2$/u.test(word);

/**
 * The vocabulary word that a word stands for: itself; what it abbreviates; the correct spelling of doubled letters ("hiiii", "helo") or of
 * written-out umlauts ("gruess"); or, from five letters on, a word one edit away with the same first letter. Without one, the word itself.
 * @param withTypos whether to correct single edits; for an unlikely language they match too much.
 */
export function mendWord(word: string, known: IndexedWords, withTypos: boolean): string {
  const { vocabulary, bySqueezed, longByInitial, abbreviations } = known;
  if (vocabulary.has(word)) return word;
  const [meant, ...others] = abbreviations.get(word) ?? [];
  if (meant !== undefined && others.length === 0) return meant;
  const isLong = word.length >= MIN_MENDED_LENGTH;
  const doubled =
    isDrawnOut(word) || (withTypos && word.length >= MIN_SQUEEZED_LENGTH)
      ? bySqueezed.get(squeezed(word))
      : undefined;
  if (doubled !== undefined) return doubled;
  const folded = withoutUmlauts(word);
  if (vocabulary.has(folded)) return folded;
  if (!withTypos || !isLong || /\p{N}/u.test(word)) return word;
  const isNear = (right: string) => isOneEditApart(word, right);
  return longByInitial.get(word.charAt(0))?.find(isNear) ?? word;
}

/** Whether two words differ by one insertion, deletion, replacement or swap of neighbours. */
export function isOneEditApart(left: string, right: string): boolean {
  if (left.length > right.length) return isOneEditApart(right, left);
  if (right.length - left.length > 1 || left === right) return false;
  let same = 0;
  while (same < left.length && left[same] === right[same]) same++;
  if (left.length < right.length) return left.slice(same) === right.slice(same + 1);
  if (left.slice(same + 1) === right.slice(same + 1)) return true;
  const isSwapped = left[same] === right[same + 1] && left[same + 1] === right[same];
  return isSwapped && left.slice(same + 2) === right.slice(same + 2);
}
