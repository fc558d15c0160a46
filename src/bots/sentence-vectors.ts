import { encodeSentence, type EncoderThread } from "../intent/classifier.ts";
import { BoundedCache } from "./bounded-cache.ts";

/** Of all bots of a process: some 3,500 titles and sentences. */
const MOST_BYTES = 8e6;
const BYTES_OF_NUMBER = 4;
const BYTES_OF_LETTER = 2;

/** What short English texts mean, by the sentence encoder. What titles and sentences of documents mean is kept while there is room. */
export class SentenceVectors {
  readonly #encoder: Pick<EncoderThread, "encode">;
  readonly #kept: BoundedCache<string, Float32Array>;

  constructor(encoder: Pick<EncoderThread, "encode">, mostBytes = MOST_BYTES) {
    this.#encoder = encoder;
    this.#kept = new BoundedCache({
      mostBytes,
      open: async (text) => sized(text, await this.findOnce(text)),
    });
  }

  /** Of what is asked once, and not to be kept. @throws Error when the encoder fails. */
  async findOnce(text: string): Promise<Float32Array | undefined> {
    return (await this.#encoder.encode(text))?.vector;
  }

  /** @throws Error when the encoder fails. */
  async find(text: string): Promise<Float32Array | undefined> {
    return this.#kept.find(text);
  }
}

function sized(text: string, vector: Float32Array | undefined) {
  return vector && { value: vector, bytes: BYTES_OF_NUMBER * vector.length + BYTES_OF_LETTER * text.length };
}

/** By the encoder on this thread: for a command, which has nothing else to do. */
export function vectorsOfCommand(): SentenceVectors {
  return new SentenceVectors({ encode: async (text) => encodeSentence(text) });
}
