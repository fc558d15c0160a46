import type { Calibration } from "../calibration/calibration.ts";
import { chanceOf, fitLogistic, type Trial } from "../calibration/logistic.ts";
import { signalVector } from "../calibration/signals.ts";
import type { IntentModel } from "../model/intent-model.ts";
import { ModelClassifier } from "../scoring/model-classifier.ts";
import type { LabelledTexts } from "./examples.ts";
import { calibrationRounds } from "./held-out.ts";
import { type Random, shuffle } from "./random.ts";

/**
 * Bots with fewer intents or examples keep the default calibration: what a third less of them teaches is another bot than theirs. The
 * bots that the default calibration is fitted on have up to this many examples.
 */
const FEWEST_INTENTS = 6;
export const FEWEST_EXAMPLES = 2500;
/** One for each third of the intents. */
const ROUNDS = 3;
/** Trials of each kind and round: enough to fit 19 coefficients, and more would only cost time. */
const MOST_TRIALS = 550;
/**
 * Of what is out of scope, the share that is like general requests; the rest is like intents that were left out. An assumption about
 * real messages, whose subjects are mostly far from the bot's.
 */
const GENERAL_SHARE = 0.75;
/** Share of all messages that is in scope, as calibrated chances assume. A guess: it differs from one web page to the next. */
export const ASSUMED_IN_SCOPE = 0.85;
/**
 * The same for the chance that the best intent is right. It errs on the safe side: the calibration error on CLINC150 is a fifth lower
 * than with the share above.
 */
const ASSUMED_FOR_INTENT = 0.73;
/** Share of held-out messages in scope that the match threshold lets pass. */
const KEPT_IN_SCOPE = 0.95;
const PRIOR_LOG_ODDS = Math.log(ASSUMED_IN_SCOPE / (1 - ASSUMED_IN_SCOPE));
/** Strength of the pull towards the default calibration: as strong as so many trials. Chosen by hand. */
const PULL = 1;

/** Where a text comes from: an intent that the model knows, one that was left out, or general requests. */
type Origin = "own intent" | "other intent" | "general request";

/** What a model that had not seen a text said about it, and the truth. */
interface CalibrationTrial {
  signals: Float64Array;
  origin: Origin;
  /** Whether its best intent was the right one. */
  isCorrect: boolean;
}

/** How many models a calibration trains. */
export function calibrationRoundCount({ texts, classCount }: LabelledTexts): number {
  return classCount < FEWEST_INTENTS || texts.length < FEWEST_EXAMPLES ? 0 : ROUNDS;
}

/**
 * Fits a calibration to a bot. Models are trained that have not seen some of its intents and examples, nor half of the requests; what
 * they say about those is compared with the truth.
 * @param requests what people say to bots in general, nearly all of it out of scope.
 * @param standard the default calibration of such bots. It is the result where a bot is too small, and pulls it elsewhere.
 * @param fit trains a model on a part of the examples, and of the requests.
 */
export function fitCalibration(
  all: LabelledTexts,
  requests: readonly string[],
  standard: Calibration,
  random: Random,
  fit: (part: LabelledTexts, requests: readonly string[]) => IntentModel,
): Calibration {
  const [known, unseen] = [0, 1].map((half) => requests.filter((_, i) => i % 2 === half));
  const general = { texts: unseen!, labels: new Int32Array(unseen!.length).fill(-1), classCount: 0 };
  const rounds = calibrationRounds(all, calibrationRoundCount(all), random);
  const trials = rounds.flatMap(({ training, heldOut }) => {
    const model = fit(training, known!);
    return [
      ...collectTrials(model, heldOut, "other intent", random),
      ...collectTrials(model, general, "general request", random),
    ];
  });
  return fitToTrials(trials, standard);
}

/**
 * Asks a model about texts that it has not seen, in random order.
 * @param outside the origin of texts without a label.
 */
function collectTrials(
  model: IntentModel,
  { texts, labels }: LabelledTexts,
  outside: Origin,
  random: Random,
): CalibrationTrial[] {
  const classifier = new ModelClassifier(model);
  const order = Int32Array.from(texts.keys());
  shuffle(order, random);
  const trials: CalibrationTrial[] = [];
  const counts = noneOfEach();
  for (const i of order) {
    const label = labels[i]!;
    const origin = label < 0 ? outside : "own intent";
    if (counts[origin]++ >= MOST_TRIALS) continue;
    const evidence = classifier.weighEvidence(texts[i]!);
    if (evidence === undefined) continue;
    trials.push({ signals: signalVector(evidence.signals), origin, isCorrect: evidence.best === label });
  }
  return trials;
}

function noneOfEach(): Record<Origin, number> {
  return { "own intent": 0, "other intent": 0, "general request": 0 };
}

/** Without trials in scope, or without any out of scope, the standard itself. */
function fitToTrials(trials: readonly CalibrationTrial[], standard: Calibration): Calibration {
  const inScopeCount = trials.filter(isInScope).length;
  if (inScopeCount === 0 || inScopeCount === trials.length) return standard;
  const pull = PULL / trials.length;
  const balanced = weighted(trials, 0.5, isInScope);
  const centre = shifted(standard.inScope, -PRIOR_LOG_ODDS);
  const inScope = shifted(fitLogistic(balanced, centre, pull), PRIOR_LOG_ODDS);
  const asAssumed = weighted(trials, ASSUMED_FOR_INTENT, ({ isCorrect }) => isCorrect);
  const correct = fitLogistic(asAssumed, standard.correct, pull);
  return { inScope, correct, matchThreshold: thresholdFor(trials, inScope), coverageNeeded: 0 };
}

function isInScope({ origin }: CalibrationTrial): boolean {
  return origin === "own intent";
}

/** The trials with weights by which those in scope make `inScopeShare` of all, and the others are mixed as assumed. */
function weighted(
  trials: readonly CalibrationTrial[],
  inScopeShare: number,
  happened: (trial: CalibrationTrial) => boolean,
): Trial[] {
  const counts = noneOfEach();
  for (const { origin } of trials) counts[origin]++;
  const generalShare = counts["general request"] === 0 ? 0 : GENERAL_SHARE;
  const shares = { "own intent": 1, "other intent": 1 - generalShare, "general request": generalShare };
  return trials.map((trial) => ({
    inputs: trial.signals,
    happened: happened(trial),
    weight:
      ((isInScope(trial) ? inScopeShare : 1 - inScopeShare) * shares[trial.origin]) / counts[trial.origin],
  }));
}

/** The same coefficients where the odds are e^`logOdds` times as high from the outset. */
function shifted(coefficients: Float64Array, logOdds: number): Float64Array {
  const result = coefficients.slice();
  result[result.length - 1]! += logOdds;
  return result;
}

function thresholdFor(trials: readonly CalibrationTrial[], inScope: Float64Array): number {
  const chances = trials.filter(isInScope).map(({ signals }) => chanceOf(signals, inScope));
  return chances.toSorted((a, b) => a - b)[Math.floor(chances.length * (1 - KEPT_IN_SCOPE))]!;
}
