import { openSentenceModel, type SentenceModel } from "../intent/classifier.ts";
import type { ModelStore } from "../store/interface/store.ts";

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
  readonly #store: Pick<ModelStore, "findSentenceModel">;
  readonly #mostBytes: number;
  /** By the id of the intent model, the one that was used last at the end. */
  readonly #entries = new Map<string, Entry>();
  #bytes = 0;

  constructor(store: Pick<ModelStore, "findSentenceModel">, mostBytes = MOST_BYTES) {
    this.#store = store;
    this.#mostBytes = mostBytes;
  }

  /** Bytes of all models that are in memory. */
  get bytes(): number {
    return this.#bytes;
  }

  /** Undefined where the examples were not encoded. */
  async find(intentModelId: string): Promise<SentenceModel | undefined> {
    const before = this.#entries.get(intentModelId);
    const entry = before ?? (await this.#read(intentModelId));
    // Another message may have read it meanwhile.
    const known = this.#entries.get(intentModelId);
    if (known) this.#entries.delete(intentModelId);
    else this.#bytes += entry.bytes;
    this.#entries.set(intentModelId, known ?? entry);
    this.#makeRoom();
    return (known ?? entry).model;
  }

  async #read(intentModelId: string): Promise<Entry> {
    const packed = await this.#store.findSentenceModel(intentModelId);
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
