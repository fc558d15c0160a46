import type { IntentName } from "../../domain/ids.ts";
import { generalRequestsIn } from "../../text/general-requests.ts";
import { calibrate, calibrationRoundCount } from "../calibration/calibrate.ts";
import { defaultCalibration } from "../calibration/default-calibration.ts";
import { packModel } from "../model/intent-model.ts";
import { knowledgeFor } from "../words/word-knowledge.ts";
import { collectTexts, type IntentExamples } from "./examples.ts";
import { fitContrast } from "./fit-contrast.ts";
import { assembleModel, fitBlend, fitModel, fitSvm, prepareTexts, type Report, scaleScores } from "./fit.ts";
import { seededRandom } from "./random.ts";

/** Brings an SVM's scores to about the scale of the blend's logits, for which the default calibration was fitted. */
const SVM_SHARPNESS = 12;

export interface TrainingOptions {
  /** The same seed gives the same model; default 1. */
  seed?: number;
  report?: Report;
  /** Called as soon as a first, somewhat weaker model can serve. */
  onReady?: (model: Uint8Array) => void;
}

export interface TrainingResult {
  /** What `openIntentModel` opens. */
  model: Uint8Array;
  exampleCount: number;
  featureCount: number;
}

/**
 * Trains a classifier on all examples, each intent's name, label and description: an SVM, which is ready first; then its blend with a
 * low-rank model; then a calibration to this bot, and what sets it apart from others. Pure, takes seconds at most: meant for a Worker.
 */
export function trainIntentModel(
  intents: readonly IntentExamples[],
  options: TrainingOptions = {},
): TrainingResult {
  const { seed = 1, report = () => undefined, onReady } = options;
  const all = collectTexts(intents);
  const names = intents.map(({ name }) => name as IntentName);
  const progress = stagedProgress(report, 2 + 2 * calibrationRoundCount(all));
  const examples = intents.flatMap(({ examples: own = [] }) => own);
  // Names and descriptions may be in the operator's language.
  const knowledge = knowledgeFor(examples.length > 0 ? examples : all.texts);
  const prepared = prepareTexts(all, knowledge);
  const standard = defaultCalibration(all.classCount, all.texts.length, knowledge);
  const svm = fitSvm(prepared, seed, progress());
  onReady?.(packModel(scaleScores(assembleModel(names, prepared, svm, standard), SVM_SHARPNESS)));
  const blended = assembleModel(names, prepared, fitBlend(prepared, svm, seed, progress()), standard);
  const requests = knowledge.language === undefined ? [] : generalRequestsIn(knowledge.language);
  const calibration = calibrate(all, requests, standard, seededRandom(seed + 2), (part, known) =>
    fitModel(part, knowledge, known, seed, progress()),
  );
  const contrast = fitContrast(prepared, requests);
  report(1);
  const model = packModel({ ...blended, contrast, calibration });
  return { model, exampleCount: all.texts.length, featureCount: prepared.set.featureCount };
}

/** Each call gives the reporter of the next steps; a step goes from 0 to 1, and there are `steps` of equal length. */
function stagedProgress(report: Report, steps: number): () => Report {
  let finished = 0;
  return () => (done) => {
    report(Math.min(1, (finished + done) / steps));
    if (done === 1) finished++;
  };
}
