import { type EncoderThread, isEncoderOn } from "../encoder/encoder-thread.ts";
import type { Report } from "./training-set.ts";

/**
 * Cached vectors, least recently used dropped first: folds of a cross-validation and versions of a bot share most examples. 1.5 KB each.
 */
const MAX_KEPT = 4000;
/** By text, least recently used first. Shared by the process, because vectors do not depend on the bot. */
const kept = new Map<string, Float32Array>();

/**
 * Encodes a bot's texts one after another. Blank texts have no vector, and none has if encoding is off. @throws Error if the encoder fails.
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

/** An encoder with the cache, so that a held-out example is encoded once for all folds. */
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
  if (kept.size > MAX_KEPT) kept.delete(kept.keys().next().value!);
  return vector;
}
