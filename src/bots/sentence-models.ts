import { openSentenceModel, type SentenceModel } from "../intent/classifier.ts";
import type { Store } from "../store/store.ts";

/** Of all bots of a process: some 150 of a dozen intents with five examples each. */
const MOST_BYTES = 16e6;
/** What an entry takes beside its model. */
const ENTRY_BYTES = 200;

interface Entry {
  model: SentenceModel | undefined;
  bytes: number;
}

/** What the examples of bots mean: read when a message needs it, and forgotten again once others need the room. */
export class SentenceModels {
  readonly #store: Pick<Store, "findSentenceModel">;
  readonly #mostBytes: number;
  /** By the id of the intent model, the one that was used last at the end. */
  readonly #entries = new Map<string, Entry>();
  #bytes = 0;

  constructor(store: Pick<Store, "findSentenceModel">, mostBytes = MOST_BYTES) {
    this.#store = store;
    this.#mostBytes = mostBytes;
  }

  /** Bytes of all models that are in memory. */
  get bytes(): number {
    return this.#bytes;
  }

  /** Undefined where the examples were not encoded. */
  find(intentModelId: string): SentenceModel | undefined {
    const known = this.#entries.get(intentModelId);
    const entry = known ?? this.#read(intentModelId);
    if (known) this.#entries.delete(intentModelId);
    else this.#bytes += entry.bytes;
    this.#entries.set(intentModelId, entry);
    this.#makeRoom();
    return entry.model;
  }

  #read(intentModelId: string): Entry {
    const packed = this.#store.findSentenceModel(intentModelId);
    return {
      model: packed && openSentenceModel(packed),
      bytes: ENTRY_BYTES + (packed?.byteLength ?? 0),
    };
  }

  /** The last one stays, however large it is: it is about to be used. */
  #makeRoom(): void {
    for (const [id, { bytes }] of this.#entries) {
      if (this.#bytes <= this.#mostBytes || this.#entries.size === 1) return;
      this.#entries.delete(id);
      this.#bytes -= bytes;
    }
  }
}
