import { ENCODER_VERSION, openSentenceModel, type SentenceModel } from "../intent/classifier.ts";
import type { ModelStore } from "../store/interface/store.ts";
import { BoundedCache } from "./bounded-cache.ts";

/** Memory of all bots of a process: about 150 of a dozen intents with five examples each. */
const MAX_BYTES = 16e6;
/** Memory of an entry besides its model. */
const ENTRY_BYTES = 200;

/**
 * The sentence model of a bot's examples; undefined if there is nothing to encode. `not_ready`: not encoded by this version's encoder yet;
 * `off`: the server runs without an encoder.
 */
export type Sentences = SentenceModel | "not_ready" | "off" | undefined;

/** Sentence models of bots: read at the first use, and dropped when others need the memory. */
export class SentenceModels {
  /** By the id of the intent model. Includes entries without anything to encode, but not those not encoded yet. */
  readonly #models: BoundedCache<string, { sentences: SentenceModel | undefined }>;

  constructor(store: Pick<ModelStore, "findSentenceModel">, mostBytes = MAX_BYTES) {
    this.#models = new BoundedCache({
      mostBytes,
      async open(intentModelId) {
        const packed = await store.findSentenceModel(intentModelId, ENCODER_VERSION);
        return (
          packed && {
            value: { sentences: openSentenceModel(packed) },
            bytes: ENTRY_BYTES + packed.byteLength,
          }
        );
      },
    });
  }

  /** Memory of all models. */
  get bytes(): number {
    return this.#models.bytes;
  }

  async find(intentModelId: string): Promise<Sentences> {
    const found = await this.#models.find(intentModelId);
    return found === undefined ? "not_ready" : found.sentences;
  }
}
