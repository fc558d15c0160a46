import type { Vectors } from "../../../src/bots/vectors.ts";
import { roundVector } from "../../../src/intent/classifier.ts";
import { type EncoderInput, openEncoder } from "../../../src/intent/encoder/encoder.ts";

/** The encoder on passages, as servers store them, and on messages; each text is encoded once. */
export function encodedMeanings(): Pick<Vectors, "find"> & {
  ofMessage(text: string): Promise<Float32Array | undefined>;
} {
  const encoder = openEncoder()!;
  const known = new Map<string, Float32Array | undefined>();
  const encode = (input: EncoderInput) => {
    const key = JSON.stringify(input);
    if (!known.has(key)) known.set(key, asStored(input, encoder.encode(input)));
    return known.get(key);
  };
  return {
    ofMessage: async (text) => encode({ form: "message", text }),
    find: async (text) => encode({ form: "passage", text }),
  };
}

function asStored({ form }: EncoderInput, vector: Float32Array | undefined): Float32Array | undefined {
  return vector && form === "passage" ? roundVector(vector) : vector;
}
