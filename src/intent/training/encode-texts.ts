import { type EncoderThread, isEncoderOn } from "../encoder/encoder-thread.ts";
import type { Report } from "./training-set.ts";

/**
 * Vectors that are kept, of the texts asked for last: the folds of a cross-validation have most examples in common, and so have the versions
 * of a bot. 1.5 KB each.
 */
const MOST_KEPT = 4000;
/** By text, the one that was asked for last at the end. For the whole process, as what a text means is the same for all who ask. */
const kept = new Map<string, Float32Array>();

/**
 * What the encoder makes of the texts of a bot, by text, one encoded after another; blank texts have nothing, and none where this process does
 * not encode.
 * @throws Error when the encoder fails.
 */
export async function encodeTexts(
  encoder: Pick<EncoderThread, "encode">,
  texts: readonly string[],
  report: Report,
): Promise<Map<string, Float32Array>> {
  const found = new Map<string, Float32Array>();
  if (!isEncoderOn()) return found;
  for (const [i, text] of texts.entries()) {
    const vector = kept.get(text) ?? (await encoder.encode({ form: "message", text }));
    if (vector) found.set(text, keep(text, vector));
    report((i + 1) / texts.length);
  }
  return found;
}

/** An encoder that knows the vectors that are kept, so that a held-out example is encoded once for all folds. */
export function withKeptVectors(encoder: Pick<EncoderThread, "encode">): Pick<EncoderThread, "encode"> {
  return {
    encode: async (input) =>
      input.form === "message"
        ? (await encodeTexts(encoder, [input.text], () => undefined)).get(input.text)
        : encoder.encode(input),
  };
}

function keep(text: string, vector: Float32Array): Float32Array {
  kept.delete(text);
  kept.set(text, vector);
  if (kept.size > MOST_KEPT) kept.delete(kept.keys().next().value!);
  return vector;
}
