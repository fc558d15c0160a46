import { type EncoderThread, roundVector } from "../intent/classifier.ts";
import type { PassageMeaning } from "../knowledge/weigh-passages.ts";
import { BoundedCache } from "./bounded-cache.ts";
import { type PassageReading, rowsOfPassage, type Vectors } from "./vectors.ts";

/** Memory of all bots of a process: about 4,500 titles and sentences. */
const MAX_BYTES = 8e6;
const BYTES_OF_NUMBER = 4;
const BYTES_OF_LETTER = 2;

/** Vectors of passages' texts, encoded on demand, rounded as in the store, and cached up to a bound. */
export class SentenceVectors implements Vectors {
  readonly #kept: BoundedCache<string, Float32Array>;

  constructor(encoder: Pick<EncoderThread, "encode">, mostBytes = MAX_BYTES) {
    this.#kept = new BoundedCache({
      mostBytes,
      open: async (text) => sized(text, await encoder.encode({ form: "passage", text })),
    });
  }

  async find(text: string): Promise<Float32Array | undefined> {
    return this.#kept.find(text);
  }

  async ofPassages(
    ids: readonly number[],
    { language, read }: PassageReading,
  ): Promise<ReadonlyMap<number, PassageMeaning>> {
    const found = new Map<number, PassageMeaning>();
    for (const [id, passage] of await read(ids)) {
      found.set(id, await rowsOfPassage(passage, language, (text) => this.find(text)));
    }
    return found;
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
