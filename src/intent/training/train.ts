import type { IntentName } from "../../domain/ids.ts";
import { calibrationFor } from "../calibration/calibration-for.ts";
import { packModel } from "../model/pack-model.ts";
import { assembleModel } from "./assemble-model.ts";
import { collectTexts, type IntentExamples } from "./examples.ts";
import { fitLinear, type Report } from "./fit-linear.ts";
import { fitSentences, hasSentences } from "./fit-sentences.ts";
import { prepareTexts } from "./prepare-texts.ts";
import { knowledgeFor } from "./prior-knowledge.ts";

interface TrainingOptions {
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
  const { language } = knowledge;
  const isEncoded = hasSentences(intents, language);
  const progress = stagedProgress(report, 1 + Number(isEncoded));
  const prepared = prepareTexts(all, knowledge);
  const linear = fitLinear(prepared.set, seed, progress());
  const names = intents.map(({ name }) => name as IntentName);
  const calibration = calibrationFor(all.classCount, all.texts.length, knowledge);
  const model = packModel(assembleModel(names, prepared, { linear, calibration }));
  const sentences = isEncoded ? fitSentences(intents, language, progress()) : undefined;
  report(1);
  return { model, ...(sentences && { sentences }) };
}

/** Each call gives the reporter of the next stage. A stage goes from 0 to 1, and there are `stages` of equal length. */
function stagedProgress(report: Report, stages: number): () => Report {
  let finished = 0;
  return () => (done) => {
    report(Math.min(1, (finished + done) / stages));
    if (done === 1) finished++;
  };
}
