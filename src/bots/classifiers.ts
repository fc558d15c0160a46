import type { Awaitable } from "../domain/wait-at-most.ts";
import { type IntentClassifier, openIntentModel } from "../intent/classifier.ts";
import type { ModelStore } from "../store/interface/store.ts";
import { BoundedCache, type Sized } from "./bounded-cache.ts";

/** Of all bots of a process: some 140 different ones of 20 intents with 20 examples each. Bots with the same intents share one. */
const MOST_BYTES = 128e6;
/** In use, the model of a bot of 20 intents takes 0.83 MB where its bytes are 0.44 MB: it remembers comparisons of words. */
const BYTES_IN_USE = 2;
const ENTRY_BYTES = 10_000;

interface ClassifiersOptions {
  /** Told which model's classifier went because others needed the room: whoever keeps it is to let go of it. */
  onDropped: (intentModelId: string) => void;
  mostBytes?: number;
}

/** What bots classify with: opened with the first bot that needs it, shared by bots, and forgotten again once others need the room. */
export class Classifiers {
  readonly #store: Pick<ModelStore, "findIntentModel">;
  readonly #classifiers: BoundedCache<string, IntentClassifier>;

  constructor(
    store: Pick<ModelStore, "findIntentModel">,
    { onDropped, mostBytes = MOST_BYTES }: ClassifiersOptions,
  ) {
    this.#store = store;
    this.#classifiers = new BoundedCache({ mostBytes, open: (id) => this.#open(id), onDropped });
  }

  /**
   * Undefined where the model is gone from the database.
   *
   * @throws Error when the model is of another version of Parley.
   */
  find(intentModelId: string): Awaitable<IntentClassifier | undefined> {
    return this.#classifiers.find(intentModelId);
  }

  /** A bot that keeps this classifier is in use. */
  touch(intentModelId: string): void {
    this.#classifiers.touch(intentModelId);
  }

  async #open(intentModelId: string): Promise<Sized<IntentClassifier> | undefined> {
    const packed = await this.#store.findIntentModel(intentModelId);
    if (!packed) return undefined;
    return { value: openIntentModel(packed), bytes: ENTRY_BYTES + BYTES_IN_USE * packed.byteLength };
  }
}
