import { ENCODER_VERSION, type EncoderThread, TextVectors } from "../intent/classifier.ts";
import type { Vectors as StoredVectors } from "../store/interface/vectors.ts";
import { BoundedCache } from "./bounded-cache.ts";
import { SentenceVectors } from "./sentence-vectors.ts";
import { NoMeaningError, type Vectors } from "./vectors.ts";

/** Of all bots of a process: some 2,000 passages of ten sentences. */
const MOST_BYTES = 8e6;
/** What an entry takes beside its cells. */
const ENTRY_BYTES = 2000;

interface PassageVectorsParts {
  store: Pick<StoredVectors, "findPassageVectors">;
  encoder: Pick<EncoderThread, "encode">;
}

/** What passages mean as it is stored; a message is compared with none of them before all are. */
export class PassageVectors implements Vectors {
  readonly #encoder: Pick<EncoderThread, "encode">;
  readonly #kept: BoundedCache<number, TextVectors>;
  /** Texts that are no part of what was encoded, as where a bot's language changes where sentences end. */
  readonly #others: SentenceVectors;

  constructor({ store, encoder }: PassageVectorsParts) {
    this.#encoder = encoder;
    this.#others = new SentenceVectors(encoder);
    this.#kept = new BoundedCache({
      mostBytes: MOST_BYTES,
      async open(passage) {
        const packed = await store.findPassageVectors(passage, ENCODER_VERSION);
        if (packed === undefined) return undefined;
        const value = new TextVectors(packed);
        return { value, bytes: ENTRY_BYTES + value.byteLength };
      },
    });
  }

  async findOnce(text: string, passages: readonly number[]): Promise<Float32Array | undefined> {
    const known = await Promise.all(passages.map(async (passage) => this.#kept.find(passage)));
    if (known.includes(undefined)) throw new NoMeaningError("not_ready");
    return this.#encoder.encode({ form: "message", text });
  }

  async find(text: string, passages: readonly number[]): Promise<Float32Array | undefined> {
    for (const passage of passages) {
      const vector = (await this.#kept.find(passage))?.find(text);
      if (vector) return vector;
    }
    return this.#others.find(text);
  }
}
