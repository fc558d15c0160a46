import type { IntentName } from "../../domain/ids.ts";
import { defaultCalibration } from "../calibration/default-calibration.ts";
import type { IntentModel } from "../model/intent-model.ts";
import type { WordKnowledge } from "../words/word-knowledge.ts";
import { assembleModel } from "./assemble-model.ts";
import type { LabelledTexts } from "./examples.ts";
import { fitBackground } from "./fit-background.ts";
import { fitLinear, type Report } from "./fit-linear.ts";
import { prepareTexts } from "./prepare-texts.ts";

/**
 * A whole model of these texts, with the default calibration. Its intents are called "0", "1", ….
 * @param requests what people say to bots in general; none where that is not known.
 */
export function fitModel(
  texts: LabelledTexts,
  knowledge: WordKnowledge,
  requests: readonly string[],
  seed: number,
  report: Report,
): IntentModel {
  const prepared = prepareTexts(texts, knowledge);
  const names = Array.from({ length: texts.classCount }, (_, k) => String(k) as IntentName);
  return assembleModel(names, prepared, {
    linear: fitLinear(prepared.set, seed, report),
    background: fitBackground(prepared, requests),
    calibration: defaultCalibration(texts.classCount, texts.texts.length, knowledge),
  });
}
