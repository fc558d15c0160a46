import type { IntentName } from "../../domain/ids.ts";
import { packModel } from "../model/pack-model.ts";
import { assembleModel } from "./assemble-model.ts";
import { collectTexts, type IntentExamples } from "./examples.ts";
import { fitLinear } from "./fit-linear.ts";
import { fitSentences, type VectorOf } from "./fit-sentences.ts";
import { prepareTexts } from "./prepare-texts.ts";
import type { Report } from "./training-set.ts";

interface TrainingOptions {
  /** Of the pseudo-random numbers; the same seed gives the same model. Default 1. */
  seed?: number;
  /** What the encoder makes of `textsToEncode`; absent: nobody asks what they mean. */
  vectorOf?: VectorOf;
  report?: Report;
}

export interface TrainingResult {
  /** What `openIntentModel` opens. */
  model: Uint8Array;
  /** What `openSentenceModel` opens: empty where there is nothing to encode, absent where nothing was encoded. */
  sentences?: Uint8Array;
}

/**
 * Trains a classifier on each intent's examples, name, label and description. A pure function: the same arguments give the same bytes.
 * Takes seconds at most, and is meant for a thread of its own; see `TrainingThread`.
 */
export function trainIntentModel(
  intents: readonly IntentExamples[],
  { seed = 1, vectorOf, report = () => undefined }: TrainingOptions = {},
): TrainingResult {
  const all = collectTexts(intents);
  const prepared = prepareTexts(all);
  const linear = fitLinear(prepared.set, seed, report);
  const names = intents.map(({ name }) => name as IntentName);
  const model = packModel(assembleModel(names, prepared, linear));
  const sentences = vectorOf && fitSentences(intents, vectorOf);
  report(1);
  return { model, ...(sentences && { sentences }) };
}
