import { TokenBuffer } from "../../text/tokenise.ts";
import { hashWord } from "../../text/word-hash.ts";
import { boneOf } from "./skeleton.ts";
import { lastBones, initialAndLength, placeOfBones, type TermGates } from "./term-index.ts";

/** Longer runs of letters are not treated as misspelled words. */
const MAX_MISSPELT_LENGTH = 24;
const MIN_MISSPELT_LENGTH = 4;

/** Buffer for one text at a time; nothing in it is kept. */
const tokens = new TokenBuffer();
const shortened = new Uint16Array(MAX_MISSPELT_LENGTH);

/** Whether a normalised text may contain a term. True also for a few per cent of texts without one. Allocates nothing. */
export function mayHoldTerm(normalised: string, gates: TermGates): boolean {
  return mayHoldSkeleton(normalised, gates) || mayHoldWord(normalised, gates);
}

/**
 * Whether the text may contain a disguised term, by the start of the term's skeleton. Letters of other scripts may be look-alikes, so with
 * them the answer is true.
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

/** First Greek letter; lower code units are Latin letters (plain after `normaliseText`) and signs. */
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

/** Signs between the words of a phrase are ignored. Non-ASCII signs, which are rare here, only separate words. */
function isSign(codeUnit: number): boolean {
  const isDigit = codeUnit >= 0x30 && codeUnit <= 0x39;
  const isLetter = codeUnit >= 0x61 && codeUnit <= 0x7a;
  return !isDigit && !isLetter && codeUnit < 0x80;
}

/** Whether a word may be one edit away from a form: then the two share a variant with one letter deleted. */
function mayBeMisspelt(start: number, end: number, { mendable, misspelt }: TermGates): boolean {
  const { codeUnits } = tokens;
  const length = end - start;
  if (length < MIN_MISSPELT_LENGTH || length > MAX_MISSPELT_LENGTH) return false;
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
