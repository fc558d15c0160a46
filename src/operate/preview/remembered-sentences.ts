import { sha256 } from "../../domain/sha256.ts";
import type { EncoderInput, EncoderThread } from "../../intent/classifier.ts";

/** Cached sentences: the messages of two previews, about 2 KB each. */
const MOST_SENTENCES = 4000;

/**
 * An encoder with a cache: two versions of a bot encode the same messages, and so does the next preview. The keys are hashes, so that no
 * visitor's text is kept.
 */
export class RememberedSentences implements Pick<EncoderThread, "encode"> {
  readonly #encoder: Pick<EncoderThread, "encode">;
  /** Least recently used first. */
  readonly #sentences = new Map<string, Float32Array | undefined>();

  constructor(encoder: Pick<EncoderThread, "encode">) {
    this.#encoder = encoder;
  }

  /** @throws Error like `EncoderThread.encode` */
  async encode(input: EncoderInput): Promise<Float32Array | undefined> {
    const key = sha256(JSON.stringify(input)).toString("base64");
    const sentence = this.#sentences.has(key) ? this.#sentences.get(key) : await this.#encoder.encode(input);
    this.#sentences.delete(key);
    this.#sentences.set(key, sentence);
    if (this.#sentences.size > MOST_SENTENCES) this.#sentences.delete(this.#sentences.keys().next().value!);
    return sentence;
  }
}
