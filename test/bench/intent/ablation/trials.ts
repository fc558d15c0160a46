import { examplesOf } from "../../../../src/bots/training.ts";
import { SIGNALS, signalVector } from "../../../../src/intent/calibration/signals.ts";
import { openIntentModel, openSentenceModel } from "../../../../src/intent/classifier.ts";
import { weighSentence } from "../../../../src/intent/sentences/classify-sentence.ts";
import { SENTENCE_SIGNALS, sentenceSignals } from "../../../../src/intent/sentences/sentence-signals.ts";
import type { IntentExamples } from "../../../../src/intent/training/examples.ts";
import { trainHere, vectorOf } from "../../../support/encode-here.ts";
import type { RealisticBot } from "../../realistic/messages.ts";
import { readBot, type TrialOrigin, tryMessages } from "../sentence-trials.ts";

/** What a bot makes of a message, before any calibration, and the truth. */
export interface RawTrial {
  origin: TrialOrigin;
  /** Number of the right intent; −1 where none is, or it is not known. */
  label: number;
  /** Of the classifier; absent where it knows no word. */
  classifier: { signals: Float64Array; coverage: number; best: number } | undefined;
  /** Of the encoder and the classifier together; absent where the bot has no sentences. */
  sentence: { inputs: Float64Array; best: number } | undefined;
}

export interface RawBot {
  intentCount: number;
  examplesPerIntent: number;
  trials: readonly RawTrial[];
}

/** Trains a bot, and gives what tries one text on it. */
export function trainForTrials(bot: readonly IntentExamples[], seed: number) {
  const { model, sentences } = trainHere(bot, { seed });
  const classifier = openIntentModel(model);
  const ridge = sentences && openSentenceModel(sentences);
  return (text: string, origin: TrialOrigin, label: number): RawTrial[] => {
    const evidence = classifier.weighEvidence(text);
    const vector = ridge && vectorOf(text);
    const found = vector && ridge && weighSentence(classifier.judge(text), vector, ridge);
    return [
      {
        origin,
        label,
        classifier: evidence && {
          signals: signalVector(SIGNALS, evidence.signals),
          coverage: evidence.coverage,
          best: evidence.best,
        },
        sentence: found && {
          inputs: signalVector(SENTENCE_SIGNALS, sentenceSignals(found)),
          best: found.best,
        },
      },
    ];
  };
}

/** What visitors write to a realistic bot. */
export function realisticBot(bot: RealisticBot, seed: number): RawBot {
  const document = readBot(bot.file);
  const intents = examplesOf(document);
  return {
    ...sizeOf(intents),
    trials: tryMessages(bot, document, trainForTrials(intents, seed)),
  };
}

export function sizeOf(
  intents: readonly IntentExamples[],
): Pick<RawBot, "intentCount" | "examplesPerIntent"> {
  const examples = intents.reduce((sum, intent) => sum + (intent.examples?.length ?? 0), 0);
  return { intentCount: intents.length, examplesPerIntent: examples / intents.length };
}
