import { ModelClassifier } from "../../../src/intent/scoring/model-classifier.ts";
import { collectTexts, type IntentExamples } from "../../../src/intent/training/examples.ts";
import { fitModel } from "../../../src/intent/training/fit-model.ts";
import { type Random, seededRandom } from "../../../src/intent/training/random.ts";
import type { WordKnowledge } from "../../../src/intent/words/word-knowledge.ts";
import { generalRequestsIn } from "../../../src/text/general-requests.ts";
import { pickMany, pickOne } from "./pick.ts";

/** A data set's training intents, and texts that are out of scope of all of them. */
export interface Source {
  intents: readonly IntentExamples[];
  weight: number;
  elsewhere: readonly string[];
  /** What its bots know beforehand. */
  knowledge: WordKnowledge;
}

export interface SimulatedTrial {
  /** The classifier's signals, then ln of the number of intents, then ln of the examples per intent. */
  inputs: Float64Array;
  isInScope: boolean;
  isCorrect: boolean;
}

export interface SimulatedBot {
  intentCount: number;
  trials: readonly SimulatedTrial[];
}

const INTENT_COUNTS = [1, 2, 3, 4, 5, 6, 8, 10, 15, 20, 30, 45, 60, 100];
const EXAMPLE_COUNTS = [2, 3, 4, 5, 6, 8, 10, 15, 20, 30, 50];
const MOST_EXAMPLES = 2500;
const TRIALS_IN_SCOPE = 80;
const TRIALS_BESIDE = 30;

/** Bots of random intents and examples of these sources; what they did not learn is tried on them. */
export function simulateBots(sources: readonly Source[], count: number, seed: number): SimulatedBot[] {
  const random = seededRandom(seed);
  return Array.from({ length: count }, () => simulateBot(pickSource(sources, random), random));
}

function pickSource(sources: readonly Source[], random: Random): Source {
  let left = random() * sources.reduce((sum, { weight }) => sum + weight, 0);
  return sources.find(({ weight }) => (left -= weight) <= 0) ?? sources[0]!;
}

function simulateBot({ intents, elsewhere, knowledge }: Source, random: Random): SimulatedBot {
  const intentCount = Math.min(pickOne(INTENT_COUNTS, random), intents.length - 1);
  const most = Math.min(pickOne(EXAMPLE_COUNTS, random), Math.ceil(MOST_EXAMPLES / intentCount));
  const shuffled = pickMany(intents, intents.length, random);
  const bot = shuffled.slice(0, intentCount).map(({ name, examples = [] }) => {
    const own = pickMany(examples, examples.length, random);
    const learnt = Math.max(1, Math.min(most, own.length - 2));
    return { name, examples: own.slice(0, learnt), unseen: own.slice(learnt) };
  });
  const texts = collectTexts(bot);
  const classifier = new ModelClassifier(
    fitModel(
      texts,
      knowledge,
      knowledge.language === undefined ? [] : generalRequestsIn(knowledge.language),
      1,
      () => undefined,
    ),
  );
  const size = [Math.log(intentCount), Math.log(texts.texts.length / intentCount)];
  const tryOne = (text: string, label: number): SimulatedTrial[] => {
    const evidence = classifier.weighEvidence(text);
    if (evidence === undefined) return [];
    const inputs = Float64Array.of(...evidence.signals, ...size);
    return [{ inputs, isInScope: label >= 0, isCorrect: evidence.best === label }];
  };
  const unseen = bot.flatMap((intent, label) => intent.unseen.map((text) => ({ text, label })));
  const beside = shuffled.slice(intentCount).flatMap(({ examples = [] }) => examples);
  const outside = [...pickMany(beside, TRIALS_BESIDE, random), ...pickMany(elsewhere, TRIALS_BESIDE, random)];
  return {
    intentCount,
    trials: [
      ...pickMany(unseen, TRIALS_IN_SCOPE, random).flatMap(({ text, label }) => tryOne(text, label)),
      ...outside.flatMap((text) => tryOne(text, -1)),
    ],
  };
}
