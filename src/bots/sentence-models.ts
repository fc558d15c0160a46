import type { Awaitable } from "../domain/awaitable.ts";
import { openSentenceModel, type SentenceModel } from "../intent/classifier.ts";
import type { ModelStore } from "../store/interface/store.ts";
import { BoundedCache } from "./bounded-cache.ts";

/** Of all bots of a process: some 150 of a dozen intents with five examples each. */
const MOST_BYTES = 16e6;
/** What an entry takes beside its model. */
const ENTRY_BYTES = 200;

/** What the examples of bots mean: read when a message needs it, and forgotten again once others need the room. */
export class SentenceModels {
  /** By the id of the intent model. That there is none is remembered, too. */
  readonly #models: BoundedCache<string, SentenceModel | undefined>;

  constructor(store: Pick<ModelStore, "findSentenceModel">, mostBytes = MOST_BYTES) {
    this.#models = new BoundedCache({
      mostBytes,
      async open(intentModelId) {
        const packed = await store.findSentenceModel(intentModelId);
        return {
          value: packed && openSentenceModel(packed),
          bytes: ENTRY_BYTES + (packed?.byteLength ?? 0),
        };
      },
    });
  }

  /** Bytes of all models that are in memory. */
  get bytes(): number {
    return this.#models.bytes;
  }

  /** Undefined where the examples were not encoded. */
  find(intentModelId: string): Awaitable<SentenceModel | undefined> {
    return this.#models.find(intentModelId);
  }
}
