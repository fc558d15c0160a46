import type { EncoderThread } from "../encoder/encoder-thread.ts";
import type { Report } from "./training-set.ts";

/** Vectors that are kept: the folds of a cross-validation have most examples in common. 1.5 KB each. */
const MOST_KEPT = 2500;

/** Texts that training has had encoded. */
export class EncodedTexts {
  readonly #encoder: Pick<EncoderThread, "encode">;
  readonly #kept = new Map<string, Float32Array>();

  constructor(encoder: Pick<EncoderThread, "encode">) {
    this.#encoder = encoder;
  }

  /** The vectors by their texts, one encoded after another; blank texts have none. @throws Error when the encoder fails. */
  async find(texts: readonly string[], report: Report): Promise<Map<string, Float32Array>> {
    const found = new Map<string, Float32Array>();
    for (const [i, text] of texts.entries()) {
      const vector = this.#kept.get(text) ?? (await this.#encoder.encode({ form: "message", text }));
      if (this.#kept.size >= MOST_KEPT) this.#kept.clear();
      if (vector) this.#kept.set(text, vector);
      if (vector) found.set(text, vector);
      report((i + 1) / texts.length);
    }
    return found;
  }
}
