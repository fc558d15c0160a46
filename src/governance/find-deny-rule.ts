import { type CapabilityProfile } from "../domain/bot.ts";
import { type Classifier, type DeniedBy } from "../domain/decision.ts";
import { type PersonalDataKind } from "../domain/personal-data.ts";
import { type TextLanguage } from "../domain/texts.ts";
import { LANGUAGES } from "../text/languages.ts";
import { normaliseText } from "../text/normalise.ts";
import { findPattern } from "./deny-rules/find-pattern.ts";
import { findTermAmong } from "./deny-rules/find-term.ts";
import { skeletonOf } from "./deny-rules/skeleton.ts";
import { mayHoldTerm } from "./deny-rules/term-gates.ts";
import { compileTerms, type TermIndex, termWordsOf } from "./deny-rules/term-index.ts";
import { reversed, rotated } from "./disguise/encodings.ts";
import { type KnowsWord } from "./disguise/plain-word.ts";
import { undisguisedReadings } from "./disguise/undisguise.ts";
import { findMirroredPattern, unhidden } from "./disguise/unhidden.ts";

/** A profile's denials by rule: words and phrases, and kinds of personal data. */
export interface DenyRules {
  /** Undefined without terms. */
  terms: TermIndex | undefined;
  patterns: readonly PersonalDataKind[];
}

/** Compiles the rules when a bot is loaded; undefined without any. @param language the bot's, for the inflection of terms. */
export function compileDenyRules(
  { denyTerms = [], denyPatterns = [] }: CapabilityProfile = {},
  language: TextLanguage,
): DenyRules | undefined {
  if (denyTerms.length === 0 && denyPatterns.length === 0) return undefined;
  const known = LANGUAGES.find((other) => other === language);
  return {
    terms: denyTerms.length === 0 ? undefined : compileTerms(denyTerms, { language: known, rotated }),
    patterns: denyPatterns,
  };
}

/** Decides which words are real words. */
type Words = Pick<Classifier, "knows" | "isRealWord">;

/**
 * The term or pattern that denies a message, in its original form or a reading without disguises. Terms have precedence over patterns.
 * @param undisguised readings from `undisguisedReadings`.
 */
export function findDenyRule(
  input: string,
  undisguised: readonly { text?: string }[],
  rules: DenyRules,
  words: Words,
): DeniedBy | undefined {
  const readings = [...undisguised.flatMap(({ text }) => text ?? []), ...unhidden(input)];
  const term = findTermIn(input, readings, rules, words);
  if (term !== undefined) return { term };
  for (const text of [input, ...readings]) {
    const pattern = findPattern(text, rules.patterns) ?? findMirroredPattern(text, rules.patterns);
    if (pattern !== undefined) return { pattern };
  }
  return undefined;
}

/** A term in the original message, in its decoded form, or in either without disguises. */
function findTermIn(
  input: string,
  readings: readonly string[],
  { terms }: DenyRules,
  words: Words,
): string | undefined {
  if (terms === undefined) return undefined;
  const isHonest: KnowsWord = (word) => words.knows(word) || words.isRealWord(word);
  for (const text of [input, ...readings]) {
    const found = findTerm(text, terms, isHonest);
    if (found !== undefined) return terms.terms[found];
  }
  return undefined;
}

function findTerm(text: string, terms: TermIndex, isHonest: KnowsWord): number | undefined {
  const normalised = normaliseText(text);
  if (!mayHoldTerm(normalised, terms.gates)) return undefined;
  const written = findTermAmong(termWordsOf(text), terms, isHonest);
  return written ?? (mayBeDisguised(normalised, terms) ? findDisguised(text, terms, isHonest) : undefined);
}

/** Whether the letters of a term occur in order with anything in between, or as look-alikes. */
function mayBeDisguised(normalised: string, { skeletons, gates }: TermIndex): boolean {
  if (gates.areLatin && FOREIGN_LETTER.test(normalised)) return true;
  const texts = [skeletonOf(normalised, true), skeletonOf(normalised, false)];
  return skeletons.some((skeleton) => texts.some((text) => text.includes(skeleton)));
}

const FOREIGN_LETTER = /(?!\p{Script=Latin})\p{L}/u;

/** Removes disguises so that terms are found. Real words stay as they are: a "therapist" is not "the rapist". */
function findDisguised(text: string, terms: TermIndex, isHonest: KnowsWord): number | undefined {
  const hidden = findTermAmong(hiddenWords(text, isHonest), terms, () => true);
  if (hidden !== undefined) return hidden;
  const isWord: KnowsWord = (word) => isHonest(word) || terms.forms.has(normaliseText(word));
  for (const reading of undisguisedReadings(text, isWord)) {
    const found = findTermAmong(termWordsOf(reading), terms, isHonest);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** Reversed words of three letters are too often real words. */
const MIN_TURNED_LENGTH = 4;

/** Decoded forms of single words: from ROT13, reversed, and transcribed by sound. */
function hiddenWords(text: string, isHonest: KnowsWord): string[] {
  return termWordsOf(text).flatMap((word) => {
    if (word.length < MIN_TURNED_LENGTH || isHonest(word)) return [];
    const bySound = soundOf(word);
    const turned = [rotated(word), reversed(word), reversed(rotated(word)), ...(bySound ? [bySound] : [])];
    // Separated by a non-word, so that neighbours do not form a phrase.
    return turned.flatMap((one) => [normaliseText(one), "\u0000"]);
  });
}

/** Each letter with its Latin transcription by sound. */
const CYRILLIC =
  "аa бb вv гg дd еe ёe жzh зz иi йi кk лl мm нn оo пp рr сs тt уu фf хh цc чch шsh щsh ъ ыy ь эe юiu яia";
const GREEK = "αa βv γg δd εe ζz ηi θth ιi κk λl μm νn ξx οo πp ρr σs ςs τt υi φf χh ψps ωo";
const SOUNDS = new Map(`${CYRILLIC} ${GREEK}`.split(" ").map((pair) => [pair.slice(0, 1), pair.slice(1)]));

/** Transcribes a word of Cyrillic or Greek letters by sound ("ксанакс" is "xanax"); undefined for other words. */
function soundOf(word: string): string | undefined {
  if (!/^(?:\p{Script=Cyrillic}+|\p{Script=Greek}+)$/u.test(word)) return undefined;
  return Array.from(word.toLowerCase(), (letter) => SOUNDS.get(letter) ?? letter)
    .join("")
    .replaceAll("ks", "x");
}
