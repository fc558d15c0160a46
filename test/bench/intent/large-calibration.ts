import { chanceOf, SIGNALS, signalVector } from "../../../src/intent/calibration/calibration.ts";
import type { IntentModel } from "../../../src/intent/model/intent-model.ts";
import { ModelClassifier } from "../../../src/intent/scoring/model-classifier.ts";
import { collectTexts, type LabelledTexts } from "../../../src/intent/training/examples.ts";
import { type Random, seededRandom, shuffle } from "../../../src/intent/training/random.ts";
import { fitModel } from "../../support/fit-model.ts";
import { generalRequestsIn } from "../../support/general-requests.ts";
import { SHARE_IN_SCOPE } from "./assumed-shares.ts";
import { fitLogistic, type Trial } from "./fit-logistic.ts";
import { calibrationRounds } from "./held-out.ts";
import type { Source } from "./simulated-bots.ts";

/** Data sets of at least so many examples are large bots: CLINC150 and BANKING77. */
const MIN_EXAMPLES = 2500;
/** Number of rounds: one for each third of the intents. */
const ROUNDS = 3;
/** Trials of each kind and round: enough to fit the coefficients, and more would only cost time. */
const MAX_TRIALS = 550;
/**
 * Assumed share of general requests among out-of-scope messages; the rest resembles intents that were left out. An assumption about
 * real messages, whose subjects are mostly far from the bot's.
 */
const GENERAL_SHARE = 0.75;
/**
 * Share of all messages whose best intent is taken to be right. It errs on the safe side: the calibration error on CLINC150 is a fifth
 * lower than with the share that is in scope.
 */
const ASSUMED_FOR_INTENT = 0.73;
/** Share of held-out messages in scope that the match threshold lets pass. */
const KEPT_IN_SCOPE = 0.95;
const PRIOR_LOG_ODDS = Math.log(SHARE_IN_SCOPE.many / (1 - SHARE_IN_SCOPE.many));
/** Strength of the pull towards 0: as strong as so many trials. Chosen by hand. */
const PULL = 1;

/** Where a text comes from: an intent that the model knows, one that was left out, or general requests. */
type Origin = "own intent" | "other intent" | "general request";

/** The result of a model for a text that it had not seen, and the truth. */
interface CalibrationTrial {
  signals: Float64Array;
  origin: Origin;
  /** Whether its best intent was the right one. */
  isCorrect: boolean;
}

/** Constants that are fitted to bots of many examples. */
interface LargeCalibration {
  inScope: Float64Array;
  correct: Float64Array;
  matchThreshold: number;
}

/** The mean of what is fitted to each source that is large enough. */
export function fitLargeBots(sources: readonly Source[]): LargeCalibration {
  const fitted = sources
    .map(({ intents }) => collectTexts(intents))
    .filter(({ texts }) => texts.length >= MIN_EXAMPLES)
    .map((all) => fitToTrials(trialsOf(all)));
  const mean = (coefficients: (one: LargeCalibration) => Float64Array) =>
    new Float64Array(SIGNALS.length + 1).map(
      (_, i) => fitted.reduce((sum, one) => sum + coefficients(one)[i]!, 0) / fitted.length,
    );
  return {
    inScope: mean(({ inScope }) => inScope),
    correct: mean(({ correct }) => correct),
    matchThreshold: fitted.reduce((sum, one) => sum + one.matchThreshold, 0) / fitted.length,
  };
}

/** Trains models that have not seen some of the intents and examples. */
function trialsOf(all: LabelledTexts): CalibrationTrial[] {
  const random = seededRandom(3);
  const requests = generalRequestsIn("en");
  const general = { texts: requests, labels: new Int32Array(requests.length).fill(-1), classCount: 0 };
  return calibrationRounds(all, ROUNDS, random).flatMap(({ training, heldOut }) => {
    const model = fitModel(training);
    return [
      ...collectTrials(model, heldOut, "other intent", random),
      ...collectTrials(model, general, "general request", random),
    ];
  });
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
    if (counts[origin]++ >= MAX_TRIALS) continue;
    const evidence = classifier.weighEvidence(texts[i]!);
    if (evidence === undefined) continue;
    trials.push({
      signals: signalVector(SIGNALS, evidence.signals),
      origin,
      isCorrect: evidence.best === label,
    });
  }
  return trials;
}

function noneOfEach(): Record<Origin, number> {
  return { "own intent": 0, "other intent": 0, "general request": 0 };
}

function fitToTrials(trials: readonly CalibrationTrial[]): LargeCalibration {
  const pull = PULL / trials.length;
  const balanced = weighted(trials, 0.5, isInScope);
  const centre = new Float64Array(SIGNALS.length + 1);
  const inScope = shifted(fitLogistic(balanced, centre, pull), PRIOR_LOG_ODDS);
  const asAssumed = weighted(trials, ASSUMED_FOR_INTENT, ({ isCorrect }) => isCorrect);
  return {
    inScope,
    correct: fitLogistic(asAssumed, centre, pull),
    matchThreshold: thresholdFor(trials, inScope),
  };
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
