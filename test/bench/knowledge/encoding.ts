import { openSentenceEncoder } from "../../../src/intent/encoder/sentence-encoder.ts";
import { asSentence } from "../../../src/intent/sentences/sentence-text.ts";
import type { Encode } from "../../../src/knowledge/meaning.ts";
import type { Language } from "../../../src/text/languages.ts";

/** The sentence encoder on texts of a language; each text is encoded once. Nothing has a meaning where the processor has no SIMD. */
export function encoderOf(language: Language): Encode {
  const encoder = openSentenceEncoder();
  const known = new Map<string, Float32Array | undefined>();
  return (text) => {
    if (!known.has(text)) known.set(text, encoder?.encodeCentred(asSentence(text, language)));
    return Promise.resolve(known.get(text));
  };
}
