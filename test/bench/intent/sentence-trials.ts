import { readFileSync } from "node:fs";
import { basename } from "node:path";

import { BOT_RULES } from "../../../src/bots/rules.ts";
import { examplesOf } from "../../../src/bots/training.ts";
import type { BotDocument } from "../../../src/domain/bot.ts";
import { signalVector } from "../../../src/intent/calibration/signals.ts";
import { openIntentModel, openSentenceModel } from "../../../src/intent/classifier.ts";
import { isUnsure, weighSentence } from "../../../src/intent/sentences/classify-sentence.ts";
import { SENTENCE_SIGNALS, sentenceSignals } from "../../../src/intent/sentences/sentence-signals.ts";
import type { IntentExamples } from "../../../src/intent/training/examples.ts";
import { parseBotFiles } from "../../../src/seed/bot-file.ts";
import { trainHere, vectorOf } from "../../support/encode-here.ts";
import type { RealisticBot } from "../realistic/messages.ts";
import type { Origin } from "./simulated-bots.ts";

/** Where a message comes from; a denied one is in scope, and its intent is not known. */
export type TrialOrigin = Origin | "denied";

/** What is known of a message once it is encoded, and the truth. */
export interface SentenceTrial {
  origin: TrialOrigin;
  /** Number of the right intent; −1 where none is, or it is not known. */
  label: number;
  /** Best intents by the encoder's ridge model, by the classifier, and by both. */
  best: { encoder: number; classifier: number; blend: number };
  /** By the ridge model, and by the classifier; undefined where it knows no word. */
  probabilities: { encoder: Float32Array; classifier: Float64Array | undefined };
  examplesPerIntent: number;
  /** The sentence's signals. */
  inputs: Float64Array;
  /** The classifier's own chances. */
  inScope: number;
  confidence: number;
  /** Whether a server would encode the message. */
  isUnsure: boolean;
}

/** Trains a bot as a server would, and tries texts on it. Nothing comes of blank texts, or where the bot has no sentences. */
export function trainWithSentences(
  bot: readonly IntentExamples[],
): (text: string, origin: TrialOrigin, label: number) => SentenceTrial[] {
  const { model, sentences } = trainHere(bot);
  if (!sentences) return () => [];
  const [classifier, ridge] = [openIntentModel(model), openSentenceModel(sentences)];
  return (text, origin, label) => {
    const vector = vectorOf(text);
    if (!vector) return [];
    const weighed = classifier.judge(text);
    const found = weighSentence(weighed, vector, ridge);
    const { evidence } = weighed;
    const probabilities = {
      encoder: found.ridge.probabilities,
      classifier: evidence?.probabilities,
    };
    return [
      {
        origin,
        label,
        best: {
          encoder: probabilities.encoder.indexOf(Math.max(...probabilities.encoder)),
          classifier: evidence?.best ?? -1,
          blend: found.best,
        },
        probabilities,
        examplesPerIntent: found.examplesPerIntent,
        inputs: signalVector(SENTENCE_SIGNALS, sentenceSignals(found)),
        ...found.chances,
        isUnsure: isUnsure(found.chances),
      },
    ];
  };
}

/** What visitors write to a realistic bot; social turns, follow-ups and double questions aside. */
export function realisticTrials(bot: RealisticBot): { intentCount: number; trials: SentenceTrial[] } {
  const document = readBot(bot.file);
  const intents = examplesOf(document);
  return { intentCount: intents.length, trials: tryMessages(bot, document, trainWithSentences(intents)) };
}

/** The same, tried in any other way. */
export function tryMessages<Trial>(
  { messages }: RealisticBot,
  { intents = [] }: BotDocument,
  tryOne: (text: string, origin: TrialOrigin, label: number) => Trial[],
): Trial[] {
  const names: readonly string[] = intents.map(({ name }) => name);
  return messages.flatMap((message) => {
    const { text, kind } = message;
    if (kind === "in-scope") return tryOne(text, "own", names.indexOf(message.intent));
    if (kind === "denied") return tryOne(text, "denied", -1);
    if (kind === "near") return tryOne(text, "beside", -1);
    return kind === "far" ? tryOne(text, "elsewhere", -1) : [];
  });
}

export function readBot(file: string): BotDocument {
  const { bots, problems } = parseBotFiles(
    [{ name: basename(file), text: readFileSync(file, "utf8") }],
    BOT_RULES,
  );
  if (bots.length !== 1) throw new Error(`${file}: ${JSON.stringify(problems)}`);
  return bots[0]!.document;
}
