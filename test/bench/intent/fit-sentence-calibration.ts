/**
 * Prints the constants of src/intent/sentences: the shares of the blend (blend.ts), and sentence-coefficients.ts:
 * `bun test/bench/intent/fit-sentence-calibration.ts`, five minutes. The coefficients are those of the blend as it stands in blend.ts. To
 * be run again whenever weights, signals, glosses or the calibration change.
 *
 * They are fitted to bots that are drawn from the training splits of public data sets in four languages, and to the tuning bots of
 * test/bench/realistic in six, whose messages are less like their examples, as real ones are. Test bots are never read. A trial counts
 * only where a server would encode its message.
 */
import { SENTENCE_SIGNALS } from "../../../src/intent/sentences/sentence-signals.ts";
import { readRealisticBots } from "../realistic/messages.ts";
import { SHARE_IN_SCOPE } from "./assumed-shares.ts";
import { calibrationSources } from "./calibration-sources.ts";
import { fitBlend } from "./fit-blend.ts";
import { fitLogistic, type Trial } from "./fit-logistic.ts";
import { realisticTrials, type SentenceTrial, trainWithSentences } from "./sentence-trials.ts";
import { type BotSizes, simulateBotsWith } from "./simulated-bots.ts";

const BOT_COUNT = 180;
const SEED = 44;
/** Sizes of bots whose examples are encoded; the sizes of first operators' bots are the most frequent. */
const SIZES: BotSizes = {
  intents: [2, 3, 4, 5, 6, 8, 8, 10, 10, 12, 12, 15, 15, 20, 20, 30, 45, 60, 77, 77],
  examples: [3, 4, 5, 5, 6, 8, 10, 15, 20, 40],
};
/**
 * What a trial of a simulated bot counts beside one of a realistic bot. Public data sets are far easier: with 0.5, near-domain questions
 * to bots that were left out are told apart worse (AUROC 0.821 instead of 0.833).
 */
const SIMULATED_WEIGHT = 0.15;
/** Intents from which on they are many. */
const MANY_INTENTS = 30;
/** Pull of the coefficients of standardised signals towards 0, in trials. */
const PULL_TRIALS = 3;

interface WeightedTrial {
  trial: SentenceTrial;
  weight: number;
}

/** A bot's trials, so weighted that the assumed share is in scope. */
function weighted(
  { trials, intentCount }: { trials: readonly SentenceTrial[]; intentCount: number },
  weight: number,
): WeightedTrial[] {
  const share = intentCount < MANY_INTENTS ? SHARE_IN_SCOPE.few : SHARE_IN_SCOPE.many;
  const inScope = trials.filter(isInScope).length;
  if (inScope === 0 || inScope === trials.length) return [];
  const weightIn = (weight * trials.length * share) / inScope;
  const weightOut = (weight * trials.length * (1 - share)) / (trials.length - inScope);
  return trials.map((trial) => ({ trial, weight: isInScope(trial) ? weightIn : weightOut }));
}

function isInScope({ origin }: SentenceTrial): boolean {
  return origin === "own" || origin === "denied";
}

/** Logistic regression on standardised signals; the coefficients are those of the signals as they are. */
function fitStandardised(trials: readonly Trial[]): Float64Array {
  const width = SENTENCE_SIGNALS.length;
  const deviations = Float64Array.from({ length: width }, (_, i) =>
    deviationOf(trials.map(({ inputs }) => inputs[i]!)),
  );
  const standardised = trials.map((trial) => ({
    ...trial,
    inputs: trial.inputs.map((value, i) => value / deviations[i]!),
  }));
  const total = trials.reduce((sum, { weight }) => sum + weight, 0);
  const fitted = fitLogistic(standardised, new Float64Array(width + 1), PULL_TRIALS / total);
  return fitted.map((value, i) => (i < width ? value / deviations[i]! : value));
}

function deviationOf(values: readonly number[]): number {
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
  const variance = values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / values.length;
  return Math.sqrt(variance) || 1;
}

function fit(trials: readonly WeightedTrial[], happened: (trial: SentenceTrial) => boolean): Float64Array {
  return fitStandardised(
    trials.map(({ trial, weight }) => ({ inputs: trial.inputs, happened: happened(trial), weight })),
  );
}

/** The rows of the table; a column for each of the two. */
function print(...columns: Float64Array[]): void {
  for (const [i, row] of [...SENTENCE_SIGNALS, "constant"].entries()) {
    console.log(`  ${row}: [${columns.map((column) => Number(column[i]!.toFixed(2))).join(", ")}],`);
  }
}

const simulated = simulateBotsWith(trainWithSentences, calibrationSources(), SIZES, BOT_COUNT, SEED);
const realistic = readRealisticBots().filter(({ part }) => part === "tuning");
const bots = [
  ...simulated.map((bot) => weighted(bot, SIMULATED_WEIGHT)),
  ...realistic.map((bot) => weighted(realisticTrials(bot), 1)),
];
const trials = bots.flat();
const blend = fitBlend(
  trials.filter(({ trial }) => trial.label >= 0).map(({ trial, weight }) => ({ ...trial, weight })),
);
const share = (value: number) => value.toFixed(2);
console.log(`const CLASSIFIER_SHARE = ${share(blend.classifier)};`);
console.log(
  `const ENCODER_SHARE = { atOneExample: ${share(blend.atOneExample)}, lessPerLnExamples: ${share(blend.lessPerLnExamples)} };\n`,
);
const unsure = trials.filter(({ trial }) => trial.isUnsure);
const known = unsure.filter(({ trial }) => trial.origin !== "denied");
print(
  fit(unsure, isInScope),
  fit(known, ({ label, best }) => label >= 0 && best.blend === label),
);
