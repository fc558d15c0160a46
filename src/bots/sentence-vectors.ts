import type { EncoderThread } from "../intent/classifier.ts";
import { BoundedCache } from "./bounded-cache.ts";

/** Of all bots of a process: some 4,500 titles and sentences. */
const MOST_BYTES = 8e6;
const BYTES_OF_NUMBER = 4;
const BYTES_OF_LETTER = 2;

/** What short texts mean, by the encoder. What titles and sentences of documents mean is kept while there is room. */
export class SentenceVectors {
  readonly #encoder: Pick<EncoderThread, "encode">;
  readonly #kept: BoundedCache<string, Float32Array>;

  constructor(encoder: Pick<EncoderThread, "encode">, mostBytes = MOST_BYTES) {
    this.#encoder = encoder;
    this.#kept = new BoundedCache({
      mostBytes,
      open: async (text) => sized(text, await encoder.encode({ form: "passage", text })),
    });
  }

  /** Of a message: asked once, and not to be kept. @throws Error when the encoder fails. */
  findOnce(text: string): Promise<Float32Array | undefined> {
    return this.#encoder.encode({ form: "message", text });
  }

  /** Of a title or a sentence of a document. @throws Error when the encoder fails. */
  async find(text: string): Promise<Float32Array | undefined> {
    return this.#kept.find(text);
  }
}

function sized(text: string, vector: Float32Array | undefined) {
  return vector && { value: vector, bytes: BYTES_OF_NUMBER * vector.length + BYTES_OF_LETTER * text.length };
}
