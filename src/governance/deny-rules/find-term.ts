import { isOneEditApart, squeezed } from "../../text/phrases/mend-word.ts";
import type { TermIndex, TermWord } from "./term-index.ts";
import { nearHashes, STEM_BEGINNING, WHOLE } from "./term-index.ts";

/**
 * The first term of the list that these words hold, in any of its forms: as a word or phrase; written without spaces, or with one too many;
 * misspelt by one letter; or inside a longer word. The last two only where the word is none that is known.
 * @param isHonest whether a word means what it says: it is no misspelling of a term, and no compound with one.
 * @returns the term's place in the list
 */
export function findTermAmong(
  words: readonly string[],
  index: TermIndex,
  isHonest: (word: string) => boolean,
): number | undefined {
  const meant = words.map((word) => meantBy(word, index, isHonest));
  const found = meant.flatMap((some, at) =>
    some.filter((entry) => isWholeTerm(entry, at, meant, index)).map(({ term }) => term),
  );
  const joined = words.flatMap((_, at) =>
    [2, 3].flatMap((count) => joinedTerms(words.slice(at, at + count).join(""), index)),
  );
  const all = [...found, ...joined];
  return all.length === 0 ? undefined : Math.min(...all);
}

function isWholeTerm(
  { term, word }: TermWord,
  at: number,
  meant: readonly (readonly TermWord[])[],
  { lengths }: TermIndex,
): boolean {
  if (word === WHOLE) return true;
  if (word !== 0) return false;
  const rest = Array.from({ length: lengths[term]! - 1 }, (_, i) => i + 1);
  return rest.every((next) => meant[at + next]?.some((other) => other.term === term && other.word === next));
}

/** The terms that two neighbours are when they are written as one word. */
function joinedTerms(word: string, { forms, lengths }: TermIndex): number[] {
  const isOneWord = ({ term, word: place }: TermWord) => place === WHOLE || lengths[term] === 1;
  return (forms.get(word) ?? []).filter(isOneWord).map(({ term }) => term);
}

/** The words of terms that a word may be meant as. */
function meantBy(word: string, index: TermIndex, isHonest: (word: string) => boolean): readonly TermWord[] {
  const exact = index.forms.get(word);
  if (exact !== undefined) return exact;
  const stretched = index.squeezed.get(squeezed(word));
  if (stretched !== undefined) return index.forms.get(stretched)!;
  if (isHonest(word)) return [];
  return [
    ...termsInside(word, index).map((term) => ({ term, word: WHOLE })),
    ...besideDigits(word).flatMap((letters) => index.forms.get(letters) ?? []),
    ...misspelt(word, index).flatMap((form) => index.forms.get(form)!),
  ];
}

/** Terms that a word holds beside other letters. */
function termsInside(word: string, { stems }: TermIndex): number[] {
  const inside: number[] = [];
  for (let at = 0; at + STEM_BEGINNING <= word.length; at++) {
    for (const { text, term } of stems.get(word.slice(at, at + STEM_BEGINNING)) ?? [])
      if (word.length > text.length && word.startsWith(text, at)) inside.push(term);
  }
  return inside;
}

function misspelt(word: string, { gates, longestMendable, mendsInitials }: TermIndex): string[] {
  if (word.length > longestMendable + 1) return [];
  const hasInitial = (form: string) => mendsInitials || form.startsWith(word.charAt(0));
  const near = new Set(Array.from(nearHashes(word), (hash) => gates.misspelt.get(hash) ?? []).flat());
  return [...near].filter((form) => hasInitial(form) && isOneEditApart(word, form));
}

/** The letters of a word that has digits, too: "xanax2mg". */
function besideDigits(word: string): readonly string[] {
  return /\d/.test(word) ? (word.match(/\p{L}{3,}/gu) ?? []) : [];
}
