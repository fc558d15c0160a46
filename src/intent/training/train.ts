import type { IntentName } from "../../domain/ids.ts";
import { generalRequestsIn } from "../../text/general-requests.ts";
import { defaultCalibration } from "../calibration/default-calibration.ts";
import { packModel } from "../model/pack-model.ts";
import { assembleModel } from "./assemble-model.ts";
import { collectTexts, type IntentExamples } from "./examples.ts";
import { fitBackground } from "./fit-background.ts";
import { calibrationRoundCount, fitCalibration } from "./fit-calibration.ts";
import { fitLinear, type Report } from "./fit-linear.ts";
import { fitModel } from "./fit-model.ts";
import { fitSentences, hasSentences } from "./fit-sentences.ts";
import { prepareTexts } from "./prepare-texts.ts";
import { knowledgeFor } from "./prior-knowledge.ts";
import { seededRandom } from "./random.ts";

export interface TrainingOptions {
  /** Of the pseudo-random numbers; the same seed gives the same model. Default 1. */
  seed?: number;
  report?: Report;
}

export interface TrainingResult {
  /** What `openIntentModel` opens. */
  model: Uint8Array;
  /** What `openSentenceModel` opens; absent where the bot's examples are not encoded, see `hasSentences`. */
  sentences?: Uint8Array;
}

/**
 * Trains a classifier on each intent's examples, name, label and description. A pure function: the same arguments give the same bytes.
 * Takes seconds at most, and is meant for a thread of its own; see `TrainingThread`.
 */
export function trainIntentModel(
  intents: readonly IntentExamples[],
  { seed = 1, report = () => undefined }: TrainingOptions = {},
): TrainingResult {
  const all = collectTexts(intents);
  const examples = intents.flatMap(({ examples: own = [] }) => own);
  // Names and descriptions may be in the operator's language, which is not always the visitors'.
  const knowledge = knowledgeFor(examples.length > 0 ? examples : all.texts);
  const requests = knowledge.language === undefined ? [] : generalRequestsIn(knowledge.language);
  const { language } = knowledge;
  const isEncoded = hasSentences(intents, language);
  const rounds = Array.from({ length: calibrationRoundCount(all) }, () => STAGES.round);
  const progress = stagedProgress(report, [
    STAGES.whole,
    ...rounds,
    ...(isEncoded ? [STAGES.sentences] : []),
  ]);
  const prepared = prepareTexts(all, knowledge);
  const linear = fitLinear(prepared.set, seed, progress());
  const standard = defaultCalibration(all.classCount, all.texts.length, knowledge);
  const calibration = fitCalibration(all, requests, standard, seededRandom(seed + 2), (part, known) =>
    fitModel(part, knowledge, known, seed, progress()),
  );
  const background = fitBackground(prepared, requests);
  const names = intents.map(({ name }) => name as IntentName);
  const model = packModel(assembleModel(names, prepared, { linear, background, calibration }));
  const sentences = isEncoded ? fitSentences(intents, language, progress()) : undefined;
  report(1);
  return { model, ...(sentences && { sentences }) };
}

/**
 * How long the stages of a training take, beside that of the whole model: a model for the calibration, which knows two thirds of intents and
 * examples, and the sentences. Measured by CPU time, at 2,000 intents of 3 examples, 200 of 50, and 500 of 3.
 */
const STAGES = { whole: 1, round: 0.25, sentences: 0.4 };

/** Each call gives the reporter of the next stage. A stage goes from 0 to 1, and takes its share of the whole. */
function stagedProgress(report: Report, stages: readonly number[]): () => Report {
  const total = stages.reduce((sum, stage) => sum + stage, 0);
  let [begun, finished] = [0, 0];
  return () => {
    const stage = stages[begun++]!;
    return (done) => {
      report(Math.min(1, (finished + done * stage) / total));
      if (done === 1) finished += stage;
    };
  };
}
