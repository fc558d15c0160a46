import { TEXTS_OF_MANY } from "../../../src/intent/calibration/calibration-for.ts";
import { SIGNALS, signalVector } from "../../../src/intent/calibration/calibration.ts";
import { ModelClassifier } from "../../../src/intent/scoring/model-classifier.ts";
import { collectTexts, type IntentExamples } from "../../../src/intent/training/examples.ts";
import { type Random, seededRandom } from "../../../src/intent/training/random.ts";
import { fitModel } from "../../support/fit-model.ts";
import { pickMany, pickOne } from "./pick.ts";

/** A data set's training intents, and texts that are out of scope of all of them. */
export interface Source {
  intents: readonly IntentExamples[];
  /** How often its bots are drawn. */
  weight: number;
  elsewhere: readonly string[];
  language: string;
}

/** The values that a bot's size is drawn from. */
export interface BotSizes {
  intents: readonly number[];
  /** Examples of each intent. */
  examples: readonly number[];
}

/** A text that a bot has not seen: of its own intents, of others of the same data set, or of another data set. */
export type Origin = "own" | "beside" | "elsewhere";

export interface SimulatedTrial {
  origin: Origin;
  isCorrect: boolean;
  /** The classifier's signals, then ln of the number of intents, then ln of the examples per intent. */
  inputs: Float64Array;
  /** Chance of being in scope by the bot's calibration. */
  inScope: number;
  /** Share of the subject that the examples cover. */
  coverage: number;
}

/** Names of the places in `SimulatedTrial.inputs`, and in the coefficients fitted to them, without the constant. */
export const INPUTS = [...SIGNALS, "lnIntents", "lnExamples"] as const;

export interface SimulatedTrials<Trial> {
  intentCount: number;
  language: string;
  trials: readonly Trial[];
}

export type SimulatedBot = SimulatedTrials<SimulatedTrial>;

/** Sizes of all bots that get the calibration that is fitted to them. */
export const ALL_SIZES: BotSizes = {
  intents: [1, 2, 3, 4, 5, 6, 8, 10, 15, 20, 30, 45, 60, 100],
  examples: [2, 3, 4, 5, 6, 8, 10, 15, 20, 30, 50],
};
const TRIALS_IN_SCOPE = 80;
const TRIALS_BESIDE = 30;

/** Tries one text on a bot; no trial if it cannot be tried. `label` is the number of its intent, −1 without one. */
export type TryText<Trial> = (text: string, origin: Origin, label: number) => Trial[];
/** Trains a bot for its trials. */
export type TrainBot<Trial> = (bot: readonly IntentExamples[]) => TryText<Trial>;

/** Bots of random intents and examples of these sources, tried with texts that they did not learn. */
export function simulateBots(
  sources: readonly Source[],
  sizes: BotSizes,
  count: number,
  seed: number,
): SimulatedBot[] {
  return simulateBotsWith(trainOn, sources, sizes, count, seed);
}

/** The same with trials of another kind. */
export function simulateBotsWith<Trial>(
  train: TrainBot<Trial>,
  sources: readonly Source[],
  sizes: BotSizes,
  count: number,
  seed: number,
): SimulatedTrials<Trial>[] {
  const random = seededRandom(seed);
  return Array.from({ length: count }, () => simulateBot(train, pickSource(sources, random), sizes, random));
}

function pickSource(sources: readonly Source[], random: Random): Source {
  let left = random() * sources.reduce((sum, { weight }) => sum + weight, 0);
  return sources.find(({ weight }) => (left -= weight) <= 0) ?? sources[0]!;
}

function simulateBot<Trial>(
  train: TrainBot<Trial>,
  { intents, elsewhere, language }: Source,
  sizes: BotSizes,
  random: Random,
): SimulatedTrials<Trial> {
  const fewest = Math.min(...sizes.intents);
  const intentCount = Math.max(fewest, Math.min(pickOne(sizes.intents, random), intents.length - 1));
  const most = Math.min(pickOne(sizes.examples, random), Math.ceil(TEXTS_OF_MANY / intentCount));
  const shuffled = pickMany(intents, intents.length, random);
  const bot = shuffled.slice(0, intentCount).map(({ name, examples = [] }) => {
    const own = pickMany(examples, examples.length, random);
    const learnt = Math.max(1, Math.min(most, own.length - 2));
    return { name, examples: own.slice(0, learnt), unseen: own.slice(learnt) };
  });
  const tryOne = train(bot);
  const unseen = bot.flatMap((intent, label) => intent.unseen.map((text) => ({ text, label })));
  const beside = shuffled.slice(intentCount).flatMap(({ examples = [] }) => examples);
  const besides = pickMany(beside, TRIALS_BESIDE, random);
  const elsewheres = pickMany(elsewhere, TRIALS_BESIDE, random);
  return {
    intentCount,
    language,
    trials: [
      ...pickMany(unseen, TRIALS_IN_SCOPE, random).flatMap(({ text, label }) => tryOne(text, "own", label)),
      ...besides.flatMap((text) => tryOne(text, "beside", -1)),
      ...elsewheres.flatMap((text) => tryOne(text, "elsewhere", -1)),
    ],
  };
}

/** Trains a bot. @returns a function that tries one text on it; no trial for a text that shares nothing with the examples. */
function trainOn(bot: readonly IntentExamples[]): TryText<SimulatedTrial> {
  const texts = collectTexts(bot);
  const classifier = new ModelClassifier(fitModel(texts));
  const size = [Math.log(bot.length), Math.log(texts.texts.length / bot.length)];
  return (text, origin, label) => {
    const evidence = classifier.weighEvidence(text);
    if (evidence === undefined) return [];
    const { best, signals, coverage } = evidence;
    const inputs = Float64Array.of(...signalVector(SIGNALS, signals), ...size);
    return [
      { origin, isCorrect: best === label, inputs, coverage, inScope: classifier.classify(text).inScope },
    ];
  };
}
