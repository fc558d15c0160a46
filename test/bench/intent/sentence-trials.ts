import { openIntentModel, openSentenceModel } from "../../../src/intent/classifier.ts";
import { type RidgeScores, scoreByRidge } from "../../../src/intent/encoder/ridge.ts";
import type { Evidence } from "../../../src/intent/scoring/evidence.ts";
import type { IntentExamples } from "../../../src/intent/training/examples.ts";
import { type Random, seededRandom } from "../../../src/intent/training/random.ts";
import { trainHere, vectorOf } from "../../support/encode-here.ts";
import { SHARE_IN_SCOPE } from "./assumed-shares.ts";
import { unseenSources } from "./calibration-sources.ts";
import { type EpisodeBot, unseenEpisodes } from "./episodes.ts";
import { pickMany, pickOne } from "./pick.ts";
import { type BotSizes, simulateBotsWith } from "./simulated-bots.ts";

/** A message that was encoded, and the truth. */
export interface SentenceTrial {
  origin: "own" | "near" | "far";
  /** Numbers of the right intents; none if the message is out of scope. */
  labels: readonly number[];
  /** The classifier's result; undefined if it knows no word. */
  evidence: Evidence | undefined;
  tokenCount: number;
  /** The classifier's own confidence, and its confidences for each intent. */
  confidence: number;
  confidences: Float32Array;
  ridge: RidgeScores;
  textsPerIntent: number;
  /** Weight of the trial: by the kind of bot, and so that the assumed share of trials is in scope. */
  weight: number;
}

/** A bot, and its trials. */
export interface TriedBot {
  /** Bots of one group have examples in common: they are held out together. */
  group: string;
  /** Whether it is a whole bot of the episodes. */
  isWhole: boolean;
  language: string;
  trials: readonly SentenceTrial[];
}

/** Bots of fewer intents and examples are drawn from each bot of the episodes, so that bots of all sizes are fitted to. */
const PARTS_OF_BOT = 5;
const PART_SIZES: BotSizes = { intents: [2, 3, 4, 5, 6, 7, 8, 10], examples: [2, 3, 4, 5] };
/** Weight of a part, relative to the whole bot. */
const PART_WEIGHT = 0.4;
/** Bots drawn from public data sets, each as much as a bot of the episodes: visitors' messages are harder than those, and easier than these. */
const SIMULATED = 40;
const SIMULATED_SIZES: BotSizes = {
  intents: [2, 3, 4, 5, 6, 8, 8, 10, 10, 12, 12, 15, 15, 20, 20, 30, 45, 60, 70],
  examples: [3, 4, 5, 5, 6, 8, 10, 12, 15, 25, 40],
};
/** Least number of intents of a large bot. */
const MANY_INTENTS = 30;
const SEED = 44;

/** Bots that the encoder has not seen: those of the episodes, parts of them, and bots of public data sets. */
export function tryUnseenBots(): TriedBot[] {
  const random = seededRandom(SEED);
  const episodes = unseenEpisodes().flatMap((bot) => [
    tryEpisode(bot, true),
    ...Array.from({ length: PARTS_OF_BOT }, () => tryEpisode(partOf(bot, random), false)),
  ]);
  const simulated = simulateBotsWith(
    (intents) => {
      const tryOne = trainForTrials(intents);
      return (text, origin, label) => tryOne(text, ORIGINS[origin], label < 0 ? [] : [label]);
    },
    unseenSources(),
    SIMULATED_SIZES,
    SIMULATED,
    SEED,
  );
  return [
    ...episodes,
    ...simulated.map(({ trials, language, intentCount }, i) => ({
      group: `simulated ${i}`,
      isWhole: false,
      language,
      trials: weighted(trials, intentCount, 1),
    })),
  ];
}

const ORIGINS = { own: "own", beside: "near", elsewhere: "far" } as const;

function tryEpisode({ name, language, intents, messages }: EpisodeBot, isWhole: boolean): TriedBot {
  const tryOne = trainForTrials(intents);
  const numberOf = (intent: string) => intents.findIndex((own) => own.name === intent);
  const trials = messages.flatMap(({ text, origin, intents: wanted }) => {
    const labels = wanted.map(numberOf).filter((label) => label >= 0);
    return tryOne(text, origin === "own" && labels.length === 0 ? "near" : origin, labels);
  });
  return {
    group: name,
    isWhole,
    language,
    trials: weighted(trials, intents.length, isWhole ? 1 : PART_WEIGHT),
  };
}

/** Some of a bot's intents, with some of their examples. Messages to the others are near-domain ones. */
function partOf(bot: EpisodeBot, random: Random): EpisodeBot {
  const examples = pickOne(PART_SIZES.examples, random);
  const intents = pickMany(bot.intents, pickOne(PART_SIZES.intents, random), random);
  return {
    ...bot,
    intents: intents.map((intent) => ({
      ...intent,
      examples: pickMany(intent.examples ?? [], examples, random),
    })),
  };
}

type TryMessage = (
  text: string,
  origin: SentenceTrial["origin"],
  labels: readonly number[],
) => SentenceTrial[];

/** A function that tries one message on a bot; no trial for a bot of one intent, or a blank message. */
function trainForTrials(intents: readonly IntentExamples[]): TryMessage {
  const { model, sentences } = trainHere(intents);
  if (sentences === undefined) return () => [];
  const [classifier, ridge] = [openIntentModel(model), openSentenceModel(sentences)!];
  return (text, origin, labels) => {
    const vector = vectorOf(text);
    if (vector === undefined) return [];
    const { confidence, confidences } = classifier.classify(text);
    return [
      {
        origin,
        labels,
        ...classifier.judge(text),
        confidence,
        confidences,
        ridge: scoreByRidge(ridge, vector),
        textsPerIntent: ridge.intents.length / ridge.intentCount,
        weight: 1,
      },
    ];
  };
}

/** A bot's trials, so weighted that the assumed share is in scope. */
function weighted(trials: readonly SentenceTrial[], intentCount: number, weight: number): SentenceTrial[] {
  const share = intentCount < MANY_INTENTS ? SHARE_IN_SCOPE.few : SHARE_IN_SCOPE.many;
  const own = trials.filter(({ origin }) => origin === "own").length;
  if (own === 0 || own === trials.length) return [];
  return trials.map((trial) => ({
    ...trial,
    weight: trial.origin === "own" ? (weight * share) / own : (weight * (1 - share)) / (trials.length - own),
  }));
}
