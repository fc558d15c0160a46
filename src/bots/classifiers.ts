import { type IntentClassifier, openIntentModel } from "../intent/classifier.ts";
import type { Store } from "../store/store.ts";
import { BoundedCache } from "./bounded-cache.ts";

/** Of all bots of a process: some 140 different ones of 20 intents with 20 examples each. Bots with the same intents share one. */
const MOST_BYTES = 128e6;
/** In use, the model of a bot of 20 intents takes 0.83 MB where its bytes are 0.44 MB: it remembers comparisons of words. */
const BYTES_IN_USE = 2;
const ENTRY_BYTES = 10_000;

/** What bots classify with: opened when a message needs it, shared by bots, and forgotten again once others need the room. */
export class Classifiers {
  readonly #classifiers: BoundedCache<string, IntentClassifier>;

  constructor(store: Pick<Store, "findIntentModel">, mostBytes = MOST_BYTES) {
    this.#classifiers = new BoundedCache({
      mostBytes,
      open(intentModelId) {
        const packed = store.findIntentModel(intentModelId);
        return (
          packed && {
            value: openIntentModel(packed),
            bytes: ENTRY_BYTES + BYTES_IN_USE * packed.byteLength,
          }
        );
      },
    });
  }

  /** Bytes that the classifiers in memory take, by reckoning. */
  get bytes(): number {
    return this.#classifiers.bytes;
  }

  /** @throws Error when the model is gone from the database, or of another version of Parley. */
  get(intentModelId: string): IntentClassifier {
    const classifier = this.#classifiers.find(intentModelId);
    if (!classifier) throw new Error(`the intent model ${intentModelId} is gone from the database`);
    return classifier;
  }
}
