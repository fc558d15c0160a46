import { SentenceVectors } from "../../../src/bots/sentence-vectors.ts";
import type { Vectors } from "../../../src/bots/vectors.ts";
import { type EncoderInput, openEncoder } from "../../../src/intent/encoder/encoder.ts";

/** The encoder on passages, as servers store them, and on messages; each text is encoded once. */
export function encodedMeanings(): Vectors & {
  ofMessage(text: string): Promise<Float32Array | undefined>;
} {
  const encoder = openEncoder()!;
  const known = new Map<string, Float32Array | undefined>();
  const encode = (input: EncoderInput) => {
    const key = JSON.stringify(input);
    if (!known.has(key)) known.set(key, encoder.encode(input));
    return known.get(key);
  };
  const passages = new SentenceVectors({ encode: async (input) => encode(input) });
  return {
    ofMessage: async (text) => encode({ form: "message", text }),
    ofPassages: (ids, reading) => passages.ofPassages(ids, reading),
  };
}
