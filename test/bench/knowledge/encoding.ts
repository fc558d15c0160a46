import { type EncoderInput, openEncoder } from "../../../src/intent/encoder/encoder.ts";
import type { Meanings } from "../../../src/knowledge/meaning.ts";

/** The encoder on messages and passages; each text is encoded once. */
export function encodedMeanings(): Meanings {
  const encoder = openEncoder()!;
  const known = new Map<string, Float32Array | undefined>();
  const encode = async (input: EncoderInput) => {
    const key = JSON.stringify(input);
    if (!known.has(key)) known.set(key, encoder.encode(input));
    return known.get(key);
  };
  return {
    ofMessage: (text) => encode({ form: "message", text }),
    ofPassage: (text) => encode({ form: "passage", text }),
  };
}
