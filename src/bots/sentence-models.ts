import { ENCODER_VERSION, openSentenceModel, type SentenceModel } from "../intent/classifier.ts";
import type { ModelStore } from "../store/interface/store.ts";
import { BoundedCache } from "./bounded-cache.ts";

/** Of all bots of a process: some 150 of a dozen intents with five examples each. */
const MOST_BYTES = 16e6;
/** What an entry takes beside its model. */
const ENTRY_BYTES = 200;

/**
 * What a bot's examples mean; undefined where there is nothing to encode. `not_ready`: this version's encoder has yet to read them; `off`: the
 * server runs without one.
 */
export type Sentences = SentenceModel | "not_ready" | "off" | undefined;

/** What the examples of bots mean: read when a message needs it, and forgotten again once others need the room. */
export class SentenceModels {
  /** By the id of the intent model. That there is nothing to encode is remembered, too; not that the encoder has yet to read it. */
  readonly #models: BoundedCache<string, { sentences: SentenceModel | undefined }>;

  constructor(store: Pick<ModelStore, "findSentenceModel">, mostBytes = MOST_BYTES) {
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

  /** Bytes of all models that are in memory. */
  get bytes(): number {
    return this.#models.bytes;
  }

  async find(intentModelId: string): Promise<Sentences> {
    const found = await this.#models.find(intentModelId);
    return found === undefined ? "not_ready" : found.sentences;
  }
}
