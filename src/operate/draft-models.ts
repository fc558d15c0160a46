import { getIntentModel, intentModelIdOf, type OnTraining } from "../bots/training.ts";
import type { BotDocument } from "../domain/bot.ts";
import type { TrainedModel } from "../store/interface/bots.ts";
import type { ModelStore } from "../store/interface/store.ts";

/** Drafts whose models are kept: what an operator tries, previews and tests is trained once. A model of 20 intents has 0.5 MB. */
const MOST_MODELS = 8;

/** What drafts classify with: from the store, from an earlier look at the draft, or trained now. */
export class DraftModels {
  readonly #store: ModelStore;
  /** By id; the one that was used last at the end. */
  readonly #models = new Map<string, TrainedModel>();

  constructor(store: ModelStore) {
    this.#store = store;
  }

  /** @throws the signal's reason where it aborts during the training. */
  async find(document: BotDocument, onTraining?: OnTraining, signal?: AbortSignal): Promise<TrainedModel> {
    const id = intentModelIdOf(document);
    const model = this.#models.get(id) ?? (await getIntentModel(this.#store, document, onTraining, signal));
    this.#models.delete(id);
    this.#models.set(id, model);
    if (this.#models.size > MOST_MODELS) this.#models.delete(this.#models.keys().next().value!);
    return model;
  }
}
