import { sha256 } from "../../domain/sha256.ts";
import type { EncoderInput, EncoderThread } from "../../intent/classifier.ts";

/** Sentences that are remembered: the messages of two previews. One takes some 2 KB. */
const MOST_SENTENCES = 4000;

/**
 * An encoder that remembers what it has encoded: two versions of a bot are asked about the same messages, and after the next edit they are
 * asked again. Texts are known by their hashes, so that nothing a visitor wrote stays here.
 */
export class RememberedSentences implements Pick<EncoderThread, "encode"> {
  readonly #encoder: Pick<EncoderThread, "encode">;
  /** The one that was used last at the end. */
  readonly #sentences = new Map<string, Float32Array | undefined>();

  constructor(encoder: Pick<EncoderThread, "encode">) {
    this.#encoder = encoder;
  }

  /** @throws Error as `EncoderThread.encode` does */
  async encode(input: EncoderInput): Promise<Float32Array | undefined> {
    const key = sha256(JSON.stringify(input)).toString("base64");
    const sentence = this.#sentences.has(key) ? this.#sentences.get(key) : await this.#encoder.encode(input);
    this.#sentences.delete(key);
    this.#sentences.set(key, sentence);
    if (this.#sentences.size > MOST_SENTENCES) this.#sentences.delete(this.#sentences.keys().next().value!);
    return sentence;
  }
}
