import type { IntentModel } from "../model/intent-model.ts";
import { ModelClassifier } from "../scoring/classify.ts";
import { calibrationRounds, type LabelledTexts } from "../training/held-out.ts";
import { type Random, shuffle } from "../training/random.ts";
import { chanceOf, fitLogistic, type Trial } from "./logistic.ts";
import type { Calibration } from "./reject.ts";

/** Fewer than this, and the default calibration is the better one. */
const FEWEST_INTENTS = 6;
const FEWEST_EXAMPLES = 2500;
const ROUNDS = 3;
/** Of each kind and round: more would cost time and tell nothing new. */
const MOST_OBSERVATIONS = 550;
/** Of what is out of scope, the share that is near to no intent; the rest would fit in beside them. */
const GENERAL_SHARE = 0.75;
/** Messages in scope that calibrated chances assume, of all. */
export const ASSUMED_IN_SCOPE = 0.85;
/** Fewer for the chance that the best intent is right, which errs on the safe side: the calibration error is a fifth lower. */
const ASSUMED_FOR_INTENT = 0.73;
/** Held-out messages in scope that the match threshold lets pass. */
const KEPT_IN_SCOPE = 0.95;
const PRIOR_LOG_ODDS = Math.log(ASSUMED_IN_SCOPE / (1 - ASSUMED_IN_SCOPE));
/** Strength of the pull towards the default calibration, in observations. */
const PULL = 1;

/** What a model that had not seen a text said about it, and the truth. */
interface CalibrationTrial {
  signals: Float64Array;
  kind: "own" | "other intent" | "general request";
  isCorrect: boolean;
}

/** How many models a calibration trains. */
export function calibrationRoundCount({ texts, classCount }: LabelledTexts): number {
  return classCount < FEWEST_INTENTS || texts.length < FEWEST_EXAMPLES ? 0 : ROUNDS;
}

/**
 * Fits the chances to this bot: trains models that have not seen some intents, examples and requests, and looks at what they say about them.
 * @param requests what people say to bots in general, nearly all of it out of scope.
 * @param standard the default calibration of such bots.
 * @param fit trains a model on a part of the examples, and of the requests.
 */
export function calibrate(
  all: LabelledTexts,
  requests: readonly string[],
  standard: Calibration,
  random: Random,
  fit: (part: LabelledTexts, requests: readonly string[]) => IntentModel,
): Calibration {
  const [known, unseen] = [0, 1].map((half) => requests.filter((_, i) => i % 2 === half));
  const rounds = calibrationRounds(all, calibrationRoundCount(all), random);
  const trials = rounds.flatMap(({ training, heldOut }) => {
    const model = fit(training, known!);
    const general = { texts: unseen!, labels: new Int32Array(unseen!.length).fill(-1), classCount: 0 };
    return [
      ...observe(model, heldOut, "other intent", random),
      ...observe(model, general, "general request", random),
    ];
  });
  return fitCalibration(trials, standard);
}

/** Without any trials of one of the kinds, the centre itself. */
function fitCalibration(trials: readonly CalibrationTrial[], centre: Calibration): Calibration {
  const weights = { own: 1, "other intent": 1 - GENERAL_SHARE, "general request": GENERAL_SHARE };
  const counts = { own: 0, "other intent": 0, "general request": 0 };
  for (const { kind } of trials) counts[kind]++;
  if (counts.own === 0 || counts.own === trials.length) return centre;
  if (counts["general request"] === 0) weights["other intent"] = 1;
  const pull = PULL / trials.length;
  const weigh = (shareIn: number, happened: (trial: CalibrationTrial) => boolean): Trial[] =>
    trials.map((trial) => ({
      inputs: trial.signals,
      happened: happened(trial),
      weight: ((trial.kind === "own" ? shareIn : 1 - shareIn) * weights[trial.kind]) / counts[trial.kind],
    }));
  const balanced = weigh(0.5, ({ kind }) => kind === "own");
  const inScope = shifted(
    fitLogistic(balanced, shifted(centre.inScope, -PRIOR_LOG_ODDS), pull),
    PRIOR_LOG_ODDS,
  );
  const asAssumed = weigh(ASSUMED_FOR_INTENT, ({ isCorrect }) => isCorrect);
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
    .filter(({ kind }) => kind === "own")
    .map(({ signals }) => chanceOf(signals, inScope));
  return chances.toSorted((a, b) => a - b)[Math.floor(chances.length * (1 - KEPT_IN_SCOPE))]!;
}

/** @param outside what texts without a class are. */
function observe(
  model: IntentModel,
  { texts, labels }: LabelledTexts,
  outside: CalibrationTrial["kind"],
  random: Random,
): CalibrationTrial[] {
  const classifier = new ModelClassifier(model);
  const order = Int32Array.from(texts.keys());
  shuffle(order, random);
  const trials: CalibrationTrial[] = [];
  const counts = { own: 0, "other intent": 0, "general request": 0 };
  for (const i of order) {
    const label = labels[i]!;
    const kind = label < 0 ? outside : "own";
    if (counts[kind]++ >= MOST_OBSERVATIONS) continue;
    const evidence = classifier.weighEvidence(texts[i]!);
    if (evidence !== undefined)
      trials.push({ signals: evidence.signals, kind, isCorrect: evidence.best === label });
  }
  return trials;
}
