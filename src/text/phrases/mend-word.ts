import { keptWithWord, type KnownWord } from "./known-word.ts";

const SHORTEST_MENDED = 5;
const SHORTEST_SQUEEZED = 4;

/** Stands for each word that a vocabulary does not have. */
export const UNKNOWN_WORD = "";

/** The words of a vocabulary, ready to be found although they are written wrongly. */
interface IndexedWords {
  vocabulary: ReadonlySet<string>;
  /** By what is left where no letter stands twice in a row. */
  bySqueezed: ReadonlyMap<string, string>;
  /** Those of five letters and more, by their first letter. */
  longByInitial: ReadonlyMap<string, readonly string[]>;
  /** What abbreviations stand for. */
  abbreviations: ReadonlyMap<string, readonly string[]>;
}

/** A vocabulary to look up the words of many messages in. */
export interface MendableWords extends IndexedWords {
  /** `mendWord`, whose results are kept with the words; `UNKNOWN_WORD` where the vocabulary has no such word. */
  find(word: KnownWord, withTypos: boolean): string;
}

/** Prepares a vocabulary for `mendWord`, and for messages. */
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
    if (word.length < SHORTEST_MENDED) continue;
    const initial = word.charAt(0);
    longByInitial.set(initial, [...(longByInitial.get(initial) ?? []), word]);
  }
  return { vocabulary, bySqueezed, longByInitial, abbreviations };
}

/** A word in which no letter stands twice in a row. */
export const squeezed = (word: string): string => word.replaceAll(/(.)\1+/gu, "$1");

/** A word without umlauts that are written out. */
export const withoutUmlauts = (word: string): string => word.replaceAll(/([aou])e/g, "$1");

/** A letter three times, or the last one twice: "sooo", "heyy". */
const isDrawnOut = (word: string): boolean => /(.)\1\1|(.)\2$/u.test(word);

/**
 * The word of the vocabulary that a word stands for: itself; what it abbreviates; with doubled letters where they belong ("hiiii", "helo");
 * with umlauts that were written out ("gruess"); or, from five letters on, one that differs by a single edit behind the first letter.
 * Without one, itself.
 * @param withTypos whether single edits are mended; in a language that is unlikely, they find too much.
 */
export function mendWord(word: string, known: IndexedWords, withTypos: boolean): string {
  const { vocabulary, bySqueezed, longByInitial, abbreviations } = known;
  if (vocabulary.has(word)) return word;
  const [meant, ...others] = abbreviations.get(word) ?? [];
  if (meant !== undefined && others.length === 0) return meant;
  const isLong = word.length >= SHORTEST_MENDED;
  const doubled =
    isDrawnOut(word) || (withTypos && word.length >= SHORTEST_SQUEEZED)
      ? bySqueezed.get(squeezed(word))
      : undefined;
  if (doubled !== undefined) return doubled;
  const folded = withoutUmlauts(word);
  if (vocabulary.has(folded)) return folded;
  if (!withTypos || !isLong || /\p{N}/u.test(word)) return word;
  const isNear = (right: string) => isOneEditApart(word, right);
  return longByInitial.get(word.charAt(0))?.find(isNear) ?? word;
}

/** Whether one insertion, deletion, replacement or swap of neighbours leads from one word to the other. */
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
