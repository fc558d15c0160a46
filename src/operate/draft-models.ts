import { getIntentModel, intentModelIdOf, type OnTraining, trainBots } from "../bots/training.ts";
import type { BotDocument } from "../domain/bot.ts";
import type { TrainedModel } from "../store/interface/bots.ts";
import type { ModelStore } from "../store/interface/store.ts";
import { OneAtATime } from "./one-at-a-time.ts";

/** Drafts whose models are kept: what an operator tries, previews and tests is trained once. A model of 20 intents has 0.5 MB. */
const MOST_MODELS = 8;

/** Where it was looked before. */
const NONE_STORED: Pick<ModelStore, "hasIntentModel"> = { hasIntentModel: async () => false };

/** What drafts classify with: from the store, from an earlier look at the draft, or trained now. */
export class DraftModels {
  readonly #store: ModelStore;
  /** By id; the one that was used last at the end. */
  readonly #models = new Map<string, TrainedModel>();
  /** What is there already waits for none. */
  readonly #trainings = new OneAtATime();

  constructor(store: ModelStore) {
    this.#store = store;
  }

  /** @throws the signal's reason where it aborts during the training. */
  async find(document: BotDocument, onTraining?: OnTraining, signal?: AbortSignal): Promise<TrainedModel> {
    const id = intentModelIdOf(document);
    const model = this.#models.get(id) ?? (await this.#findOrTrain(id, document, onTraining, signal));
    this.#models.delete(id);
    this.#models.set(id, model);
    if (this.#models.size > MOST_MODELS) this.#models.delete(this.#models.keys().next().value!);
    return model;
  }

  async #findOrTrain(
    id: string,
    document: BotDocument,
    onTraining: OnTraining | undefined,
    signal: AbortSignal | undefined,
  ): Promise<TrainedModel> {
    if (await this.#store.hasIntentModel(id)) return getIntentModel(this.#store, document);
    const train = async () => {
      const known = this.#models.get(id);
      if (known !== undefined) return known;
      const { trained } = await trainBots(NONE_STORED, [document], onTraining, signal);
      return trained.get(id)!;
    };
    return this.#trainings.run(train, signal);
  }
}
