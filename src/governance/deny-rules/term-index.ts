import type { Language } from "../../text/languages.ts";
import { normaliseText } from "../../text/normalise.ts";
import { squeezed } from "../../text/phrases/mend-word.ts";
import { TokenBuffer } from "../../text/tokenise.ts";
import { finishHash, hashWordText } from "../../text/word-hash.ts";
import { inflectedForms } from "./inflect.ts";
import { boneOf, skeletonOf } from "./skeleton.ts";

/** A word of a deny term, with the index of the term and its position in it. */
export interface TermWord {
  term: number;
  word: number;
}

/** A deny list of words and phrases, compiled when a bot is loaded. */
export interface TermIndex {
  /** In the operator's spelling. */
  terms: readonly string[];
  /** Number of words of each term. */
  lengths: readonly number[];
  /** Term words by each of their forms. Phrases are included as one word, without spaces. */
  forms: ReadonlyMap<string, readonly TermWord[]>;
  /**
   * Terms that also match inside longer words, by their first `STEM_BEGINNING` code units, so that each word is compared with few of them.
   */
  stems: ReadonlyMap<string, readonly { text: string; term: number }[]>;
  /** Longest form, in code units, that a misspelled word is compared with. */
  longestMendable: number;
  /** Whether the first letter of a word may be the wrong one. */
  mendsInitials: boolean;
  /** The longer forms by their spelling without double letters. */
  squeezed: ReadonlyMap<string, string>;
  /** Skeletons by which terms are recognised in any disguise; see `skeletonOf`. */
  skeletons: readonly string[];
  gates: TermGates;
}

/**
 * Quick tests (about a microsecond) that exclude a term in a message. A positive result only means that it is possible. Hashes are those of
 * `text/word-hash.ts`.
 */
export interface TermGates {
  /** Forms of one-word terms. */
  words: ReadonlySet<number>;
  /** Forms of the words of phrases; two adjacent words have to be among them. */
  phraseWords: ReadonlySet<number>;
  /** Forms that may be misspelled, by their own hash and the hashes of their variants with one letter deleted. */
  misspelt: ReadonlyMap<number, readonly string[]>;
  /** First letters and lengths of words worth looking up in `misspelt`. */
  mendable: ReadonlySet<number>;
  /** Number of skeleton letters that `bones` covers. */
  boneCount: number;
  /**
   * Bit set of letter sequences from each term's skeleton: plain, in ROT13 and reversed; indexed by `placeOfBones`. For a word its first
   * letters; for a phrase the letters around its first space, because its single words are frequent.
   */
  bones: Uint8Array;
  /** Whether the terms are in Latin letters, so that letters of other scripts indicate a disguise. */
  areLatin: boolean;
}

const MAX_BONES = 5;
const PLACE_BITS = 16;
const BONE_BITS = 5;
/** Shorter terms occur inside too many other words. Chosen by hand. */
const MIN_STEM_LENGTH = 5;
/** No stem is shorter, in code units. */
export const STEM_BEGINNING = MIN_STEM_LENGTH;
/**
 * Shorter words are one letter away from too many others. English has a list of 37,000 words that are not misspellings; other languages
 * only 5,000 to 6,000, and therefore require the first letter to match, which is rarely mistyped.
 */
const MIN_MENDABLE_LENGTH: Partial<Record<Language, number>> = { en: 5 };
const MIN_MENDABLE_ELSEWHERE_LENGTH = 7;

/** The last `length` letters of a skeleton as a number, with one letter appended. */
export function lastBones(letters: number, bone: number, length: number): number {
  return ((letters << BONE_BITS) | bone) & ((1 << (BONE_BITS * length)) - 1);
}

/** Index of a letter sequence in `TermGates.bones`. */
export function placeOfBones(letters: number): number {
  return finishHash(letters) & ((1 << PLACE_BITS) - 1);
}

/** A first letter and a length, combined into one number. */
export function initialAndLength(initial: number, length: number): number {
  return (initial << 6) | Math.min(length, 63);
}

const MAX_ENDING_MENDED_LENGTH = 2;
/** Shorter skeletons start too many words; such terms are only searched for as whole words. Chosen by hand. */
const MIN_BONES = 3;

/** Settings for compiling terms. */
interface TermSetting {
  /** The bot's language; undefined if not supported. */
  language: Language | undefined;
  /** Converts a text to ROT13. */
  rotated: (text: string) => string;
}

/** Compiles a bot's deny terms. */
export function compileTerms(terms: readonly string[], { language, rotated }: TermSetting): TermIndex {
  const words = terms.map(termWordsOf);
  const forms = formsOf(words, language);
  const mendable = mendableForms(words, language);
  const stems = words.flatMap((some, term) => {
    const text = some.join("");
    return Array.from(text).length >= MIN_STEM_LENGTH ? [{ text, term }] : [];
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
      [...forms.keys()].flatMap((form) => (form.length < MIN_STEM_LENGTH ? [] : [[squeezed(form), form]])),
    ),
    skeletons: skeletons.map(({ bones }) => bones),
    gates,
  };
}

/** A term's skeleton, with the position of the first space of a phrase. */
interface Skeleton {
  bones: string;
  space: number;
}

/** Skeletons of the common beginning of a term's forms: plain, in ROT13 and reversed. Short ones are left out. */
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
  return [...skeletons, mirrored].filter(({ bones }) => bones.length >= MIN_BONES);
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
  const boneCount = Math.min(MAX_BONES, ...skeletons.map(({ bones }) => bones.length));
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

/** Position number for a whole phrase written without spaces. */
export const WHOLE = -1;

/** Forms that misspellings are compared with: long enough words, including short endings. */
function mendableForms(words: readonly (readonly string[])[], language: Language | undefined): string[] {
  if (language === undefined) return [];
  const shortest = MIN_MENDABLE_LENGTH[language] ?? MIN_MENDABLE_ELSEWHERE_LENGTH;
  const long = words.flat().filter((word) => word.length >= shortest && /^\p{L}+$/u.test(word));
  const isShortEnding = (word: string, form: string) =>
    form.startsWith(word) && form.length <= word.length + MAX_ENDING_MENDED_LENGTH;
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

/** Hashes of a word and of its variants with one letter deleted; two words one edit apart share one. */
export function nearHashes(word: string): ReadonlySet<number> {
  const shortened = Array.from(
    { length: word.length },
    (_, skip) => word.slice(0, skip) + word.slice(skip + 1),
  );
  return new Set([word, ...shortened].map(hashWordText));
}

/** The first letter may be the wrong one, so the second counts, too. */
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

const WORD = /[\p{L}\p{M}\p{N}]/u;

/** Buffer for one text at a time; nothing in it is kept. */
const tokens = new TokenBuffer();

/** The words of a text in the form that deny terms are compared with: normalised and without signs. */
export function termWordsOf(text: string): string[] {
  tokens.read(normaliseText(text));
  return tokens.words().filter((word) => WORD.test(word));
}
