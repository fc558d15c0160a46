import { ModelClassifier } from "./classify.ts";
import { calibrationRounds, type LabelledTexts } from "./held-out.ts";
import type { IntentModel } from "./intent-model.ts";
import { chanceOf, fitLogistic, type Trial } from "./logistic.ts";
import { type Random, shuffle } from "./random.ts";
import type { Calibration } from "./reject.ts";

/** Fewer than this, and the default calibration is the better one. */
const FEWEST_INTENTS = 6;
const FEWEST_EXAMPLES = 2500;
const ROUNDS = 3;
/** Of each kind (in scope, out of scope) and round: more would cost time and tell nothing new. */
const MOST_OBSERVATIONS = 1000;
/** Messages in scope that calibrated chances assume, of all. */
export const ASSUMED_IN_SCOPE = 0.85;
/** Held-out messages in scope that the match threshold lets pass. */
const KEPT_IN_SCOPE = 0.95;
const PRIOR_LOG_ODDS = Math.log(ASSUMED_IN_SCOPE / (1 - ASSUMED_IN_SCOPE));
/** Strength of the pull towards the default calibration, in observations. */
const PULL = 15;

/** What a model that had not seen a text said about it, and the truth. */
export interface CalibrationTrial {
  signals: Float64Array;
  isInScope: boolean;
  isCorrect: boolean;
}

/** How many models a calibration trains. */
export function calibrationRoundCount({ texts, classCount }: LabelledTexts): number {
  return classCount < FEWEST_INTENTS || texts.length < FEWEST_EXAMPLES ? 0 : ROUNDS;
}

/**
 * Fits the chances to this bot: trains models that have not seen some intents and examples, and looks at what they say about them.
 * @param standard the default calibration of such bots.
 * @param fit trains a model on a part of the examples.
 */
export function calibrate(
  all: LabelledTexts,
  standard: Calibration,
  random: Random,
  fit: (part: LabelledTexts) => IntentModel,
): Calibration {
  const rounds = calibrationRounds(all, calibrationRoundCount(all), random);
  const trials = rounds.flatMap(({ training, heldOut }) => observe(fit(training), heldOut, random));
  return fitCalibration(trials, standard, PULL / Math.max(1, trials.length));
}

/** Without any trials of one of the kinds, the centre itself. */
export function fitCalibration(
  trials: readonly CalibrationTrial[],
  centre: Calibration,
  pull: number,
): Calibration {
  const inScopeCount = trials.filter(({ isInScope }) => isInScope).length;
  if (inScopeCount === 0 || inScopeCount === trials.length) return centre;
  const weigh = (shareIn: number, happened: (trial: CalibrationTrial) => boolean): Trial[] =>
    trials.map((trial) => ({
      inputs: trial.signals,
      happened: happened(trial),
      weight: trial.isInScope ? shareIn / inScopeCount : (1 - shareIn) / (trials.length - inScopeCount),
    }));
  const balanced = weigh(0.5, ({ isInScope }) => isInScope);
  const inScope = shifted(
    fitLogistic(balanced, shifted(centre.inScope, -PRIOR_LOG_ODDS), pull),
    PRIOR_LOG_ODDS,
  );
  const asAssumed = weigh(ASSUMED_IN_SCOPE, ({ isCorrect }) => isCorrect);
  const correct = fitLogistic(asAssumed, centre.correct, pull);
  return { inScope, correct, matchThreshold: thresholdFor(trials, inScope), coverageNeeded: 0 };
}

/** The same chances where the odds of being in scope are e^`logOdds` times as high from the outset. */
function shifted(coefficients: Float64Array, logOdds: number): Float64Array {
  const result = coefficients.slice();
  result[result.length - 1]! += logOdds;
  return result;
}

function thresholdFor(trials: readonly CalibrationTrial[], inScope: Float64Array): number {
  const chances = trials
    .filter(({ isInScope }) => isInScope)
    .map(({ signals }) => chanceOf(signals, inScope));
  return chances.toSorted((a, b) => a - b)[Math.floor(chances.length * (1 - KEPT_IN_SCOPE))]!;
}

function observe(model: IntentModel, heldOut: LabelledTexts, random: Random): CalibrationTrial[] {
  const classifier = new ModelClassifier(model);
  const order = Int32Array.from(heldOut.texts.keys());
  shuffle(order, random);
  const trials: CalibrationTrial[] = [];
  const counts = { in: 0, out: 0 };
  for (const i of order) {
    const label = heldOut.labels[i]!;
    if (counts[label < 0 ? "out" : "in"]++ >= MOST_OBSERVATIONS) continue;
    const evidence = classifier.weighEvidence(heldOut.texts[i]!);
    if (evidence === undefined) continue;
    trials.push({ signals: evidence.signals, isInScope: label >= 0, isCorrect: evidence.best === label });
  }
  return trials;
}
