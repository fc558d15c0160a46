import { isOneEditApart, squeezed } from "../../text/phrases/mend-word.ts";
import type { TermIndex, TermWord } from "./term-index.ts";
import { nearHashes, STEM_BEGINNING, WHOLE } from "./term-index.ts";

/**
 * The first term in the words of a text, in any form: as a word or phrase; without spaces or with an extra one; with one wrong letter; or
 * inside a longer word. The last two only for words that are not otherwise known. @param isHonest whether a word is a real word, so that it
 * is neither a misspelled term nor a compound with one. @returns index of the term
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

/** The terms that two adjacent words form without the space. */
function joinedTerms(word: string, { forms, lengths }: TermIndex): number[] {
  const isOneWord = ({ term, word: place }: TermWord) => place === WHOLE || lengths[term] === 1;
  return (forms.get(word) ?? []).filter(isOneWord).map(({ term }) => term);
}

/** The term words that a word may be a misspelling of. */
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

/** The terms inside a longer word. */
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

/** The letters of a word with digits: "xanax2mg". */
function besideDigits(word: string): readonly string[] {
  return /\d/.test(word) ? (word.match(/\p{L}{3,}/gu) ?? []) : [];
}
