import type { EncoderThread } from "../../src/intent/classifier.ts";
import { openEncoder } from "../../src/intent/encoder/encoder.ts";
import type { IntentExamples } from "../../src/intent/training/examples.ts";
import { trainIntentModel, type TrainingResult } from "../../src/intent/training/train.ts";

const known = new Map<string, Float32Array | undefined>();

/** The encoder's vector of a message, computed on this thread; each text is encoded once. Undefined if the text is blank. */
export function vectorOf(text: string): Float32Array | undefined {
  if (!known.has(text)) known.set(text, openEncoder()!.encode({ form: "message", text }));
  return known.get(text);
}

/** An encoder on this thread. */
export const encoderHere: Pick<EncoderThread, "encode"> = {
  encode: async (input) => openEncoder()!.encode(input),
};

/** Trains a bot on this thread, with the result of `TrainingThread`. */
export function trainHere(
  intents: readonly IntentExamples[],
  options: { seed?: number } = {},
): TrainingResult {
  return trainIntentModel(intents, { ...options, vectorOf });
}
