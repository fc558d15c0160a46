import { isFunctionWord } from "../text/function-words.ts";
import { hashWordText } from "../text/word-hash.ts";
import type { Question } from "./question.ts";
import type { Ranked } from "./rank.ts";
import type { SearchIndex } from "./search-index.ts";

/** From here on a passage is shown as the answer, and from here on as something that may help. */
export const ANSWER_CONFIDENCE = 0.6;
export const MAY_HELP_CONFIDENCE = 0.3;

/** What tells whether the first passage answers. */
export interface Signals {
  /** Share of what a passage could score at most that its text has. */
  text: number;
  /** The same of its best rival, title included: where another fits as well, neither is sure. */
  rival: number;
  /** How much of the question its best sentence or its title covers. */
  covered: number;
  /** The score itself: a question of many rare words that are all there is no accident. Relative to some ten such words, 1 at most. */
  strength: number;
  /** Grams in common, those that rivals lack above all. */
  grams: number;
  /** Logarithms of how many units the question and how many passages the index has: chance finds more among more. */
  units: number;
  passages: number;
}

/**
 * What tells the same where the meaning of the first passage was looked at. The other signals of words add nothing beside these three, on bots
 * whose documents were held out.
 */
export interface SignalsWithMeaning extends Pick<Signals, "rival" | "covered"> {
  /** How near its heading or its best sentence is in meaning: a cosine. */
  nearness: number;
}

/** What each signal adds to the logit of the chance. */
type Coefficients<Name extends string> = Readonly<Record<Name | "constant", number>>;

/** Printed by test/bench/knowledge/fit-confidence.ts. */
export const BY_WORDS: Coefficients<keyof Signals> = {
  text: 0.32,
  rival: -10.54,
  covered: 9.48,
  strength: 12.86,
  grams: 9.6,
  units: -1.27,
  passages: -0.42,
  constant: -1.12,
};

/** Printed by test/bench/knowledge/fit-meaning.ts. */
export const BY_MEANING: Coefficients<keyof SignalsWithMeaning> = {
  rival: -7.72,
  covered: 3.93,
  nearness: 13.39,
  constant: -6.66,
};

/** Ten rare words, each with its prefix, of which a passage holds all in text and title. */
const STRONG_WORDS = 22;

/** Undefined where nothing was found. @param ranked best first. */
export function signalsOf(
  question: Question,
  ranked: readonly Ranked[],
  index: Pick<SearchIndex, "size">,
): Signals | undefined {
  const [best, ...rivals] = ranked;
  if (best === undefined || question.mostScore === 0) return undefined;
  const rarest = Math.log(1 + (index.size + 0.5) / 0.5);
  return {
    text: best.textScore,
    rival: Math.max(0, ...rivals.map((rival) => rivalry(rival, best))),
    covered: Math.max(best.bestSentenceScore, best.titleCoverage),
    strength: Math.min(1, best.hit.score / (STRONG_WORDS * rarest)),
    grams: best.gramScore,
    units: Math.log(1 + question.units.length),
    passages: Math.log(index.size),
  };
}

/**
 * How well a rival fits. Of passages of one document, which share its title, only what the rival's headings say beyond the best one's
 * counts: a document that is wholly about what is asked speaks for its passages, and not against them.
 */
function rivalry({ passage, textScore, titleScore }: Ranked, best: Ranked): number {
  const isBeside = passage.documentId === best.passage.documentId;
  return textScore + (isBeside ? Math.max(0, titleScore - best.titleScore) : titleScore);
}

/**
 * The chance, 0 to 1, that the first passage answers the question. A message of function words alone asks nothing, whatever passages hold
 * them.
 */
export function confidenceOf<Name extends string>(
  { units }: Question,
  signals: Readonly<Record<Name, number>> | undefined,
  coefficients: Coefficients<NoInfer<Name>>,
): number {
  if (signals === undefined || !units.some(({ isContent }) => isContent)) return 0;
  let logit = coefficients.constant;
  for (const name of Object.keys(signals) as Name[]) logit += coefficients[name] * signals[name];
  return 1 / (1 + Math.exp(-logit));
}

/** A title that holds another form of the word, or a compound of it, is about it as well. */
const TOPIC_COVERAGE = 0.5;
/** Below the answer: what mentions a word may help. */
const MENTIONED = 0.5;

/**
 * One word says what a question is about, and not what it asks ("what's the weather?"): a passage that mentions it is no sure answer, unless
 * its headings have it.
 */
export function boundByTopic(confidence: number, { units }: Question, [best]: readonly Ranked[]): number {
  const places = units.flatMap(({ isContent, isWord, text }, place) =>
    isContent && !isShortened(text) ? [{ place, isWord }] : [],
  );
  const [only] = places;
  if (best === undefined || places.length !== 1 || !only!.isWord) return confidence;
  const isTopic = best.titleUnitCoverage[only!.place]! >= TOPIC_COVERAGE;
  return isTopic ? confidence : Math.min(confidence, MENTIONED);
}

/** "what's", of which folding leaves "whats": a function word with the rest of another. */
function isShortened(word: string): boolean {
  return word.endsWith("s") && isFunctionWord(hashWordText(word.slice(0, -1)));
}
