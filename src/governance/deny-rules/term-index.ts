import type { Language } from "../../text/languages.ts";
import { normaliseText } from "../../text/normalise.ts";
import { squeezed } from "../../text/phrases/mend-word.ts";
import { finishHash, hashWordText } from "../../text/word-hash.ts";
import { inflectedForms } from "./inflect.ts";
import { boneOf, skeletonOf } from "./skeleton.ts";
import { termWordsOf } from "./term-words.ts";

/** A word of a deny term: which term, by its place in the list, and which of its words. */
export interface TermWord {
  term: number;
  word: number;
}

/** A deny list of words and phrases, compiled once when a bot is loaded. */
export interface TermIndex {
  /** As the operator wrote them. */
  terms: readonly string[];
  /** How many words each has. */
  lengths: readonly number[];
  /** The terms' words by each of their forms. Phrases are also here as one word, as they are written without spaces. */
  forms: ReadonlyMap<string, readonly TermWord[]>;
  /** Terms that also count inside a longer word, by their first `STEM_BEGINNING` code units: a word is compared with few of them. */
  stems: ReadonlyMap<string, readonly { text: string; term: number }[]>;
  /** Code units of the longest form that a misspelt word may be meant as. */
  longestMendable: number;
  /** Whether the first letter of a word may be the mistake. */
  mendsInitials: boolean;
  /** The longer forms by what is left of them where no letter stands twice in a row. */
  squeezed: ReadonlyMap<string, string>;
  /** What shows of a term in any disguise; see `skeletonOf`. */
  skeletons: readonly string[];
  gates: TermGates;
}

/**
 * What tells in about a microsecond that a message holds no term. A gate that opens says only that it may. Hashes are those of
 * `text/word-hash.ts`.
 */
export interface TermGates {
  /** Forms of terms of one word. */
  words: ReadonlySet<number>;
  /** Forms of the words of phrases; two neighbours have to be among them. */
  phraseWords: ReadonlySet<number>;
  /** Forms that a misspelt word may be meant as: by their own hash, and by that of each of them with one letter left out. */
  misspelt: ReadonlyMap<number, readonly string[]>;
  /** By their first letters and lengths: which words are worth being looked up among the misspelt. */
  mendable: ReadonlySet<number>;
  /** How many letters of a skeleton `bones` tells of. */
  boneCount: number;
  /**
   * Some letters of each term's skeleton, as it is, in ROT13 and in mirror writing; by `placeOfBones`. Of a word its first letters; of a phrase
   * those around its first space, as its words alone stand in many a message.
   */
  bones: Uint8Array;
  /** Whether the terms are in Latin letters, so that those of other scripts are a disguise. */
  areLatin: boolean;
}

const MOST_BONES = 5;
const PLACE_BITS = 16;
const BONE_BITS = 5;
/** Shorter words stand in too many others. */
const SHORTEST_STEM = 5;
/** No stem has fewer code units. */
export const STEM_BEGINNING = SHORTEST_STEM;
/**
 * Shorter words are one letter away from too many others. English knows 37,000 words that are no misspellings; other languages know 5,000 to
 * 6,000, and are more careful: there the first letter is right, as people seldom mistype it.
 */
const SHORTEST_MENDABLE: Partial<Record<Language, number>> = { en: 5 };
const SHORTEST_MENDABLE_ELSEWHERE = 7;

/** The last `length` letters of a skeleton as one number, with one more. */
export function lastBones(letters: number, bone: number, length: number): number {
  return ((letters << BONE_BITS) | bone) & ((1 << (BONE_BITS * length)) - 1);
}

/** The place of some letters in `TermGates.bones`. */
export function placeOfBones(letters: number): number {
  return finishHash(letters) & ((1 << PLACE_BITS) - 1);
}

/** A first letter and a length as one number. */
export function initialAndLength(initial: number, length: number): number {
  return (initial << 6) | Math.min(length, 63);
}

const LONGEST_ENDING_MENDED = 2;
/** Shorter skeletons begin too many words. Their terms are looked for as whole words. */
const FEWEST_BONES = 3;

/** What terms are compiled for. */
interface TermSetting {
  /** What the bot speaks; undefined where it is no language that is known. */
  language: Language | undefined;
  /** A text in ROT13. */
  rotated: (text: string) => string;
}

/** Compiles the deny terms of a bot. */
export function compileTerms(terms: readonly string[], { language, rotated }: TermSetting): TermIndex {
  const words = terms.map(termWordsOf);
  const forms = formsOf(words, language);
  const mendable = mendableForms(words, language);
  const stems = words.flatMap((some, term) => {
    const text = some.join("");
    return Array.from(text).length >= SHORTEST_STEM ? [{ text, term }] : [];
  });
  const skeletons = words.flatMap((some) => skeletonsOf(some, { language, rotated }));
  const gates = gatesOf(words, { forms, mendable, skeletons });
  const lengths = words.map((some) => some.length);
  return {
    terms,
    lengths,
    forms,
    stems: Map.groupBy(stems, ({ text }) => text.slice(0, STEM_BEGINNING)),
    longestMendable: Math.max(0, ...mendable.map((form) => form.length)),
    mendsInitials: language === "en",
    squeezed: new Map(
      [...forms.keys()].flatMap((form) => (form.length < SHORTEST_STEM ? [] : [[squeezed(form), form]])),
    ),
    skeletons: skeletons.map(({ bones }) => bones),
    gates,
  };
}

/** The letters by which a term shows in any disguise, and where in them the first space of a phrase was. */
interface Skeleton {
  bones: string;
  space: number;
}

/** Of what a term's forms have in common at their beginning: as it is, in ROT13, and in mirror writing. Short ones are left out. */
function skeletonsOf(words: readonly string[], { language, rotated }: TermSetting): Skeleton[] {
  const last = words.at(-1) ?? "";
  const text = words.slice(0, -1).join("") + commonBeginning([...inflectedForms(last, language)]);
  const first = words.length > 1 ? words[0]! : "";
  const bonesOf = (written: string) => skeletonOf(normaliseText(written), false);
  const skeletons = [text, rotated(text)].map((written, turned) => ({
    bones: bonesOf(written),
    space: bonesOf(turned === 0 ? first : rotated(first)).length,
  }));
  const [plain] = skeletons;
  const mirrored = {
    bones: Array.from(plain!.bones).toReversed().join(""),
    space: first === "" ? 0 : plain!.bones.length - plain!.space,
  };
  return [...skeletons, mirrored].filter(({ bones }) => bones.length >= FEWEST_BONES);
}

function commonBeginning(forms: readonly string[]): string {
  const [first = "", ...others] = forms;
  let length = first.length;
  for (const form of others) while (!form.startsWith(first.slice(0, length))) length--;
  return first.slice(0, length);
}

function gatesOf(
  words: readonly (readonly string[])[],
  {
    forms,
    mendable,
    skeletons,
  }: Pick<TermIndex, "forms"> & { mendable: readonly string[]; skeletons: readonly Skeleton[] },
): TermGates {
  const boneCount = Math.min(MOST_BONES, ...skeletons.map(({ bones }) => bones.length));
  const hashesWhere = (isWanted: (entry: TermWord) => boolean) =>
    new Set([...forms].filter(([, some]) => some.some(isWanted)).map(([form]) => hashWordText(form)));
  const isOneWord = ({ term, word }: TermWord) => word === WHOLE || words[term]!.length === 1;
  return {
    words: hashesWhere(isOneWord),
    phraseWords: hashesWhere((entry) => !isOneWord(entry)),
    misspelt: misspeltForms(mendable),
    mendable: new Set(mendable.flatMap(initialsAndLengths)),
    boneCount,
    bones: placesOf(skeletons, boneCount),
    areLatin: [...forms.keys()].every((form) => !/[^\p{Script=Latin}\p{N}\p{M}]/u.test(form)),
  };
}

function formsOf(
  words: readonly (readonly string[])[],
  language: Language | undefined,
): Map<string, TermWord[]> {
  const forms = new Map<string, TermWord[]>();
  const add = (text: string, entry: TermWord) => forms.set(text, [...(forms.get(text) ?? []), entry]);
  words.forEach((some, term) => {
    some.forEach((text, word) => {
      for (const form of inflectedForms(text, language)) add(form, { term, word });
    });
    if (some.length === 1) return;
    const before = some.slice(0, -1).join("");
    for (const form of inflectedForms(some.at(-1)!, language)) add(before + form, { term, word: WHOLE });
  });
  return forms;
}

/** The number of a word that is a whole phrase, written without spaces. */
export const WHOLE = -1;

/** The forms that misspellings are compared with: words that are long enough, and those with a short ending. */
function mendableForms(words: readonly (readonly string[])[], language: Language | undefined): string[] {
  if (language === undefined) return [];
  const shortest = SHORTEST_MENDABLE[language] ?? SHORTEST_MENDABLE_ELSEWHERE;
  const long = words.flat().filter((word) => word.length >= shortest && /^\p{L}+$/u.test(word));
  const isShortEnding = (word: string, form: string) =>
    form.startsWith(word) && form.length <= word.length + LONGEST_ENDING_MENDED;
  const forms = long.flatMap((word) =>
    [...inflectedForms(word, language)].filter((form) => isShortEnding(word, form)),
  );
  return [...new Set(forms)];
}

function misspeltForms(mendable: readonly string[]): Map<number, string[]> {
  const forms = new Map<number, string[]>();
  for (const form of mendable) {
    for (const hash of nearHashes(form)) {
      const others = forms.get(hash);
      if (others === undefined) forms.set(hash, [form]);
      else others.push(form);
    }
  }
  return forms;
}

/** Hashes of a word and of what is left of it without one of its letters: words that are one edit apart share one. */
export function nearHashes(word: string): ReadonlySet<number> {
  const shortened = Array.from(
    { length: word.length },
    (_, skip) => word.slice(0, skip) + word.slice(skip + 1),
  );
  return new Set([word, ...shortened].map(hashWordText));
}

/** The first letter may be the mistake, so that the second counts, too. */
function initialsAndLengths(word: string): number[] {
  return [-1, 0, 1].flatMap((more) =>
    [0, 1].map((at) => initialAndLength(word.charCodeAt(at), word.length + more)),
  );
}

function placesOf(skeletons: readonly Skeleton[], count: number): Uint8Array {
  const places = new Uint8Array(1 << PLACE_BITS);
  for (const { bones, space } of skeletons) {
    const from = Math.max(0, Math.min(space - Math.ceil(count / 2), bones.length - count));
    let letters = 0;
    for (let i = from; i < from + count; i++)
      letters = lastBones(letters, boneOf(bones.charCodeAt(i), false), count);
    places[placeOfBones(letters)] = 1;
  }
  return places;
}
