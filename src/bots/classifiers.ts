import type { Awaitable } from "../domain/waiting.ts";
import { type IntentClassifier, openIntentModel } from "../intent/classifier.ts";
import type { ModelStore } from "../store/interface/store.ts";
import { BoundedCache, type Sized } from "./bounded-cache.ts";

/** Memory of all classifiers of a process: about 140 different ones of 20 intents with 20 examples each. */
const MAX_BYTES = 128e6;
/** A classifier's memory relative to its model's bytes: 0.83 MB for 0.44 MB at 20 intents, because it caches facts about words. */
const BYTES_IN_USE = 2;
const ENTRY_BYTES = 10_000;

interface ClassifiersOptions {
  /** Called with the model whose classifier was dropped for others; its holders must release it. */
  onDropped: (intentModelId: string) => void;
  mostBytes?: number;
}

/** Classifiers of bots: opened at the first use, shared by bots with the same intents, and dropped when others need the memory. */
export class Classifiers {
  readonly #store: Pick<ModelStore, "findIntentModel">;
  readonly #classifiers: BoundedCache<string, IntentClassifier>;

  constructor(
    store: Pick<ModelStore, "findIntentModel">,
    { onDropped, mostBytes = MAX_BYTES }: ClassifiersOptions,
  ) {
    this.#store = store;
    this.#classifiers = new BoundedCache({ mostBytes, open: (id) => this.#open(id), onDropped });
  }

  /**
   * Undefined if the model is no longer in the database.
   *
   * @throws Error when the model is of another version of Parley.
   */
  find(intentModelId: string): Awaitable<IntentClassifier | undefined> {
    return this.#classifiers.find(intentModelId);
  }

  /** Marks a classifier as used, because a bot that holds it is. */
  touch(intentModelId: string): void {
    this.#classifiers.touch(intentModelId);
  }

  async #open(intentModelId: string): Promise<Sized<IntentClassifier> | undefined> {
    const packed = await this.#store.findIntentModel(intentModelId);
    if (!packed) return undefined;
    return { value: openIntentModel(packed), bytes: ENTRY_BYTES + BYTES_IN_USE * packed.byteLength };
  }
}
