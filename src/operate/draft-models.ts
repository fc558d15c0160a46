import { getIntentModel, intentModelIdOf, isTrained, type OnTraining, trainBots } from "../bots/training.ts";
import type { BotDocument } from "../domain/bot.ts";
import type { TrainedModel } from "../store/interface/bots.ts";
import type { ModelStore } from "../store/interface/store.ts";
import { OneAtATime } from "./one-at-a-time.ts";

/** Drafts whose models are kept: what an operator tries, previews and tests is trained once. A model of 20 intents has 0.5 MB. */
const MOST_MODELS = 8;

/** What drafts classify with: from the store, from an earlier look at the draft, or trained now. */
export class DraftModels {
  readonly #store: ModelStore;
  /** By id; the one that was used last at the end. */
  readonly #models = new Map<string, TrainedModel>();
  /** Each takes a core; what is stored or known waits for none. */
  readonly #trainings = new OneAtATime();

  constructor(store: ModelStore) {
    this.#store = store;
  }

  /** @throws the signal's reason where it aborts before or during the training. */
  async find(document: BotDocument, onTraining?: OnTraining, signal?: AbortSignal): Promise<TrainedModel> {
    const id = intentModelIdOf(document);
    const known = this.#models.get(id);
    if (known !== undefined) return this.#remember(id, known);
    if (await isTrained(this.#store, id))
      return this.#remember(id, await getIntentModel(this.#store, document));
    const train = async () => {
      const trained = this.#models.get(id) ?? (await trainOne(document, onTraining, signal));
      return this.#remember(id, trained);
    };
    return this.#trainings.run(train, signal);
  }

  #remember(id: string, model: TrainedModel): TrainedModel {
    this.#models.delete(id);
    this.#models.set(id, model);
    if (this.#models.size > MOST_MODELS) this.#models.delete(this.#models.keys().next().value!);
    return model;
  }
}

/** Trains what is not stored. */
async function trainOne(
  document: BotDocument,
  onTraining: OnTraining | undefined,
  signal: AbortSignal | undefined,
): Promise<TrainedModel> {
  const nothing = { hasIntentModel: async () => false, findSentenceModel: async () => undefined };
  const { trained } = await trainBots(nothing, [document], { onTraining, signal });
  return trained.get(intentModelIdOf(document))!;
}
