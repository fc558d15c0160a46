import { TokenBuffer } from "../../text/tokenise.ts";
import { hashWord } from "../../text/word-hash.ts";
import { boneOf } from "./skeleton.ts";
import { lastBones, initialAndLength, placeOfBones, type TermGates } from "./term-index.ts";

/** Longer runs of letters are no words that somebody misspelt. */
const LONGEST_MISSPELT = 24;
const SHORTEST_MISSPELT = 4;

/** Scratch memory for one text at a time. Nothing in it outlives the reading of a text. */
const tokens = new TokenBuffer();
const shortened = new Uint16Array(LONGEST_MISSPELT);

/** Whether a normalised text may hold a term: in a few of a hundred texts where it holds none. Allocates nothing. */
export function mayHoldTerm(normalised: string, gates: TermGates): boolean {
  return mayHoldSkeleton(normalised, gates) || mayHoldWord(normalised, gates);
}

/**
 * Whether the text may hold a term in disguise, by how the term begins. Letters of other scripts may look like those of a term, so that they
 * open the gate.
 */
function mayHoldSkeleton(normalised: string, gates: TermGates): boolean {
  let [bones, last, count] = [0, 0, 0];
  let [signedBones, signedLast, signedCount] = [0, 0, 0];
  for (let i = 0; i < normalised.length; i++) {
    const codeUnit = normalised.charCodeAt(i);
    if (codeUnit >= FIRST_FOREIGN_LETTER && gates.areLatin) return true;
    const signed = boneOf(codeUnit, true);
    if (signed === 0) continue;
    if (signed !== signedLast) {
      signedBones = lastBones(signedBones, signed, gates.boneCount);
      signedLast = signed;
      if (++signedCount >= gates.boneCount && gates.bones[placeOfBones(signedBones)] === 1) return true;
    }
    const bone = boneOf(codeUnit, false);
    if (bone === 0 || bone === last) continue;
    bones = lastBones(bones, bone, gates.boneCount);
    last = bone;
    if (++count >= gates.boneCount && gates.bones[placeOfBones(bones)] === 1) return true;
  }
  return false;
}

/** Greek; what comes before are Latin letters, which `normaliseText` has made plain, and signs. */
const FIRST_FOREIGN_LETTER = 0x03_70;

function mayHoldWord(normalised: string, gates: TermGates): boolean {
  tokens.read(normalised);
  const { codeUnits, starts, ends, count } = tokens;
  let isAfterPhraseWord = false;
  for (let t = 0; t < count; t++) {
    const start = starts[t]!;
    const end = ends[t]!;
    if (isSign(codeUnits[start]!)) continue;
    const hash = hashWord(codeUnits, start, end);
    const isPhraseWord = gates.phraseWords.has(hash);
    if (gates.words.has(hash) || (isPhraseWord && isAfterPhraseWord)) return true;
    if (!isPhraseWord && mayBeMisspelt(start, end, gates)) return true;
    isAfterPhraseWord = isPhraseWord;
  }
  return false;
}

/** Signs between the words of a phrase do not count. Of those beyond ASCII few are left; they only part words. */
function isSign(codeUnit: number): boolean {
  const isDigit = codeUnit >= 0x30 && codeUnit <= 0x39;
  const isLetter = codeUnit >= 0x61 && codeUnit <= 0x7a;
  return !isDigit && !isLetter && codeUnit < 0x80;
}

/** Whether a word may be one letter away from a form: some of both are the same with one letter left out. */
function mayBeMisspelt(start: number, end: number, { mendable, misspelt }: TermGates): boolean {
  const { codeUnits } = tokens;
  const length = end - start;
  if (length < SHORTEST_MISSPELT || length > LONGEST_MISSPELT) return false;
  const isWorthIt =
    mendable.has(initialAndLength(codeUnits[start]!, length)) ||
    mendable.has(initialAndLength(codeUnits[start + 1]!, length));
  if (!isWorthIt) return false;
  for (let skip = start; skip < end; skip++) {
    let at = 0;
    for (let i = start; i < end; i++) if (i !== skip) shortened[at++] = codeUnits[i]!;
    if (misspelt.has(hashWord(shortened, 0, at))) return true;
  }
  return misspelt.has(hashWord(codeUnits, start, end));
}
