import { examplesOf } from "../../../src/bots/training.ts";
import type { Classification } from "../../../src/domain/decision.ts";
import {
  classifySentence,
  type IntentClassifier,
  isUnsure,
  openIntentModel,
  openSentenceModel,
  type SentenceModel,
} from "../../../src/intent/classifier.ts";
import type { IntentExamples } from "../../../src/intent/training/examples.ts";
import { trainHere, vectorOf } from "../../support/encode-here.ts";
import type { RealisticBot } from "../realistic/messages.ts";
import { readBot, type TrialOrigin, tryMessages } from "./sentence-trials.ts";

/** What was made of a message at one stage. */
interface StageOutcome {
  /** Numbers of intents, best first. */
  ranked: readonly number[];
  inScope: number;
  confidence: number;
}

/** A message that was classified without the encoder, and as a server would. */
export interface StagedTrial {
  origin: TrialOrigin;
  label: number;
  isEncoded: boolean;
  before: StageOutcome;
  after: StageOutcome;
}

/** Classifies as a server does: the encoder is asked where the classifier alone is unsure. */
export function classifyInStages(
  classifier: IntentClassifier,
  sentences: SentenceModel | undefined,
  text: string,
): { before: Classification; after: Classification; isEncoded: boolean } {
  const before = classifier.classify(text);
  const vector = sentences && isUnsure(before) ? vectorOf(text) : undefined;
  if (!vector || !sentences) return { before, after: before, isEncoded: false };
  return {
    before,
    after: classifySentence(classifier, classifier.judge(text), vector, sentences),
    isEncoded: true,
  };
}

/** Trains a bot, and tries texts on it. */
export function judgeInStages(intents: readonly IntentExamples[]) {
  const { model, sentences } = trainHere(intents);
  const classifier = openIntentModel(model);
  const ridge = sentences && openSentenceModel(sentences);
  const outcomeOf = ({ scores, inScope, confidence }: Classification): StageOutcome => ({
    ranked: scores.map(({ intent }) => classifier.intents.indexOf(intent)),
    inScope,
    confidence,
  });
  return (text: string, origin: TrialOrigin, label: number): StagedTrial[] => {
    const { before, after, isEncoded } = classifyInStages(classifier, ridge, text);
    return [{ origin, label, isEncoded, before: outcomeOf(before), after: outcomeOf(after) }];
  };
}

/** What visitors write to a realistic bot, and the language of its examples. */
export function stagedTrialsOf(bot: RealisticBot): { trials: StagedTrial[]; language: string | undefined } {
  const document = readBot(bot.file);
  const intents = examplesOf(document);
  const { language } = openIntentModel(trainHere(intents).model);
  return { trials: tryMessages(bot, document, judgeInStages(intents)), language };
}
