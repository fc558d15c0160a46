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

type Coefficients = Record<keyof Signals | "constant", number>;

/** Printed by test/bench/knowledge/fit-confidence.ts. */
const COEFFICIENTS: Coefficients = {
  text: -0.01,
  rival: -8.15,
  covered: 7.97,
  strength: 10.33,
  grams: 7.25,
  units: -1.03,
  passages: -0.34,
  constant: -1.06,
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
    rival: Math.max(0, ...rivals.map(({ textScore, titleScore }) => textScore + titleScore)),
    covered: Math.max(best.bestSentenceScore, best.titleCoverage),
    strength: Math.min(1, best.hit.score / (STRONG_WORDS * rarest)),
    grams: best.gramScore,
    units: Math.log(1 + question.units.length),
    passages: Math.log(index.size),
  };
}

/**
 * The chance, 0 to 1, that the first passage answers the question. A message of function words alone asks nothing, whatever passages hold
 * them.
 */
export function confidenceOf(
  question: Question,
  signals: Signals | undefined,
  coefficients = COEFFICIENTS,
): number {
  if (signals === undefined || !question.units.some(({ isContent }) => isContent)) return 0;
  let logit = coefficients.constant;
  for (const name of Object.keys(signals) as (keyof Signals)[]) logit += coefficients[name] * signals[name];
  return 1 / (1 + Math.exp(-logit));
}
