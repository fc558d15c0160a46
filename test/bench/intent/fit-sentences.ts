/** Fits the encoder's part in a classification: src/intent/sentences. */
import { chanceOf, signalVector } from "../../../src/intent/calibration/calibration.ts";
import { shareChances } from "../../../src/intent/scoring/rank-intents.ts";
import { blendProbabilities, type BlendShares } from "../../../src/intent/sentences/blend.ts";
import {
  isUnsure,
  SENTENCE_SIGNALS,
  sentenceSignals,
} from "../../../src/intent/sentences/classify-sentence.ts";
import { areaUnderCurve } from "../../../src/operate/evaluate.ts";
import { fitBlend } from "./fit-blend.ts";
import { fitLogistic, type Trial } from "./fit-logistic.ts";
import { type SentenceTrial, type TriedBot, tryUnseenBots } from "./sentence-trials.ts";

/** Number of groups of bots for cross-validation. */
const FOLDS = 7;
/** Pull of the coefficients of standardised signals towards 0, in bots. */
const PULL_BOTS = 0.04;
/** Least share of messages in scope that are asked about. */
const ASKED_ABOUT = 0.95;
/** The default match threshold of bots of few examples, which `ASK_SHARE` is a share of. */
const MATCH_THRESHOLD = 0.6;

/** All constants, fitted to some bots. */
interface Fitted {
  shares: BlendShares;
  inScope: Float64Array;
  correct: Float64Array;
}

/** A trial by what was fitted to other bots. */
interface Judged {
  bot: TriedBot;
  trial: SentenceTrial;
  blend: Float64Array;
  best: number;
  inScope: number;
  confidence: number;
}

/**
 * Prints the constants of src/intent/sentences, some three minutes; and what they are worth on bots that they are not fitted to, by
 * cross-validation over bots.
 */
export function fitSentences(): void {
  const bots = tryUnseenBots();
  const { shares, inScope, correct } = fitTo(bots);
  console.log(
    `const SHARES = { ridge: ${shares.ridge.toFixed(1)}, lessPerLnTexts: ${shares.lessPerLnTexts.toFixed(1)}, classifier: ${shares.classifier.toFixed(2)} };\n`,
  );
  for (const [i, row] of [...SENTENCE_SIGNALS, "constant"].entries())
    console.log(
      `  ${row}: [${[inScope, correct].map((column) => Number(column[i]!.toFixed(2))).join(", ")}],`,
    );
  const judged = crossValidate(bots);
  describe("English", judged, ({ language }) => language === "en");
  describe("other languages", judged, ({ language }) => language !== "en");
  const asked = quantile(judged.filter(({ trial }) => trial.origin === "own").map((one) => one.inScope));
  console.log(`\nconst ASK_SHARE = ${(asked / MATCH_THRESHOLD).toFixed(2)};`);
  describeDenials(judged);
}

function fitTo(bots: readonly TriedBot[]): Fitted {
  const trials = bots.flatMap((bot) => bot.trials);
  const shares = fitBlend(
    trials.flatMap(({ labels: [label], ridge: { sums }, textsPerIntent, evidence, weight }) =>
      label === undefined ? [] : [{ label, sums, textsPerIntent, evidence, weight }],
    ),
  );
  const read = trials.map((trial) => ({ trial, ...weigh(trial, shares) }));
  const column = (happened: (one: (typeof read)[number]) => boolean) =>
    fitStandardised(
      read.map((one) => ({ inputs: one.inputs, happened: happened(one), weight: one.trial.weight })),
    );
  return {
    shares,
    inScope: column(({ trial }) => trial.origin === "own"),
    correct: column(({ trial, best }) => trial.labels.includes(best)),
  };
}

function weigh(
  { ridge, evidence, tokenCount, textsPerIntent }: SentenceTrial,
  shares: BlendShares,
): { inputs: Float64Array; blend: Float64Array; best: number } {
  const blend = blendProbabilities({ sums: ridge.sums, textsPerIntent, evidence }, shares);
  const best = blend.indexOf(Math.max(...blend));
  const signals = sentenceSignals({ tokenCount, ridge, blend, best, textsPerIntent });
  return { inputs: signalVector(SENTENCE_SIGNALS, signals), blend, best };
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
  const fitted = fitLogistic(standardised, new Float64Array(width + 1), PULL_BOTS / total);
  return fitted.map((value, i) => (i < width ? value / deviations[i]! : value));
}

function deviationOf(values: readonly number[]): number {
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
  const variance = values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / values.length;
  return Math.sqrt(variance) || 1;
}

/** Evaluates each bot with constants fitted to bots of other groups. */
function crossValidate(bots: readonly TriedBot[]): Judged[] {
  const groups = [...new Set(bots.map(({ group }) => group))];
  const foldOf = ({ group }: TriedBot) => groups.indexOf(group) % FOLDS;
  return Array.from({ length: FOLDS }, (_, fold) => fold).flatMap((fold) => {
    const fitted = fitTo(bots.filter((bot) => foldOf(bot) !== fold));
    return bots
      .filter((bot) => foldOf(bot) === fold)
      .flatMap((bot) => bot.trials.map((trial) => judge(bot, trial, fitted)));
  });
}

function judge(bot: TriedBot, trial: SentenceTrial, { shares, inScope, correct }: Fitted): Judged {
  const { inputs, blend, best } = weigh(trial, shares);
  const chance = chanceOf(inputs, inScope);
  return {
    bot,
    trial,
    blend,
    best,
    inScope: chance,
    confidence: Math.min(chance, chanceOf(inputs, correct)),
  };
}

/** Figures of whole bots of the episodes; means over bots. */
function describe(title: string, judged: readonly Judged[], isCounted: (bot: TriedBot) => boolean): void {
  const bots = [...Map.groupBy(judged, ({ bot }) => bot)].filter(([bot]) => bot.isWhole && isCounted(bot));
  const mean = (figure: (trials: readonly Judged[]) => number) =>
    (bots.reduce((sum, [, trials]) => sum + figure(trials), 0) / bots.length).toFixed(3);
  const inScopeOf = (trials: readonly Judged[], origin: SentenceTrial["origin"]) =>
    trials.filter(({ trial }) => trial.origin === origin).map((one) => one.inScope);
  const auroc = (origin: "near" | "far") => (trials: readonly Judged[]) =>
    areaUnderCurve(inScopeOf(trials, "own"), inScopeOf(trials, origin))!;
  const right = (most: number) => (trials: readonly Judged[]) => {
    const own = trials.filter(({ trial }) => trial.origin === "own");
    return (
      own.filter((one) => ranked(one, most).some((k) => one.trial.labels.includes(k))).length / own.length
    );
  };
  console.log(`\n${title}: ${bots.length} bots, by what is fitted to others`);
  console.log(`  right first, among three   ${mean(right(1))}, ${mean(right(3))}`);
  console.log(`  AUROC against near, far    ${mean(auroc("near"))}, ${mean(auroc("far"))}`);
  const all = bots.flatMap(([, trials]) => trials);
  console.log(`  calibration error          ${calibrationError(all).toFixed(3)}`);
}

function ranked({ blend }: Judged, most: number): number[] {
  return [...blend.keys()].toSorted((a, b) => blend[b]! - blend[a]!).slice(0, most);
}

/** Calibration error of the confidence, in ten bins; messages in and out of scope are weighted by their assumed shares. */
function calibrationError(judged: readonly Judged[]): number {
  const gaps = new Float64Array(10);
  let total = 0;
  for (const { trial, best, confidence } of judged) {
    gaps[Math.min(9, Math.floor(confidence * 10))]! +=
      trial.weight * (confidence - Number(trial.labels.includes(best)));
    total += trial.weight;
  }
  return gaps.reduce((sum, gap) => sum + Math.abs(gap), 0) / total;
}

function quantile(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length * (1 - ASKED_ABOUT))]!;
}

/** As in src/governance: the default deny threshold, and the addend of the probabilities that a denied intent is compared with. */
const DENY_THRESHOLD = 0.4;
const DOUBT = 0.4;

/**
 * Prints the least plausibility, by the classifier alone, of a denied intent in a message that the classifier is sure of, and the encoder
 * denies; each intent of each bot is denied in its turn. Only below that, a message need not be encoded.
 */
function describeDenials(judged: readonly Judged[]): void {
  const least = { plausibility: Infinity, count: 0 };
  for (const { trial, blend, best, inScope, confidence } of judged) {
    if (isUnsure(trial)) continue;
    const chances = shareChances(blend, best, { inScope, confidence });
    for (let denied = 0; denied < chances.length; denied++) {
      if (denied === trial.evidence?.best || plausibilityOf(chances, denied) < DENY_THRESHOLD) continue;
      least.plausibility = Math.min(least.plausibility, plausibilityOf(trial.confidences, denied));
      least.count++;
    }
  }
  console.log(
    `\n${least.count} denials by the encoder alone where the classifier is sure; least plausibility ${least.plausibility}`,
  );
}

function plausibilityOf(chances: Float32Array, denied: number): number {
  return chances[denied]! / (chances.reduce((sum, chance) => sum + chance, 0) + DOUBT);
}
