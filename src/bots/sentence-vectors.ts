import { type EncoderThread, roundVector } from "../intent/classifier.ts";
import { BoundedCache } from "./bounded-cache.ts";
import type { Vectors } from "./vectors.ts";

/** Of all bots of a process: some 4,500 titles and sentences. */
const MOST_BYTES = 8e6;
const BYTES_OF_NUMBER = 4;
const BYTES_OF_LETTER = 2;

/**
 * What short texts mean, encoded when somebody asks. What titles and sentences of documents mean is kept while there is room, rounded as it is
 * stored.
 */
export class SentenceVectors implements Vectors {
  readonly #encoder: Pick<EncoderThread, "encode">;
  readonly #kept: BoundedCache<string, Float32Array>;

  constructor(encoder: Pick<EncoderThread, "encode">, mostBytes = MOST_BYTES) {
    this.#encoder = encoder;
    this.#kept = new BoundedCache({
      mostBytes,
      open: async (text) => sized(text, await encoder.encode({ form: "passage", text })),
    });
  }

  findOnce(text: string): Promise<Float32Array | undefined> {
    return this.#encoder.encode({ form: "message", text });
  }

  async find(text: string): Promise<Float32Array | undefined> {
    return this.#kept.find(text);
  }
}

function sized(text: string, vector: Float32Array | undefined) {
  return (
    vector && {
      value: roundVector(vector),
      bytes: BYTES_OF_NUMBER * vector.length + BYTES_OF_LETTER * text.length,
    }
  );
}
