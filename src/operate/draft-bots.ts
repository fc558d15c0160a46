import type { BotKnowledge } from "../bots/bot-knowledge.ts";
import { LoadedBot } from "../bots/loaded-bot.ts";
import { getIntentModel, intentModelIdOf, isTrained, type OnTraining, trainBots } from "../bots/training.ts";
import type { BotDocument } from "../domain/bot.ts";
import { openIntentModel, openSentenceModel } from "../intent/classifier.ts";
import type { BotKey, TrainedModel } from "../store/interface/bots.ts";
import type { ModelStore } from "../store/interface/store.ts";
import { OneAtATime } from "./long-work.ts";

/** Key of a bot that is only examined; nothing is stored under it. */
const UNSTORED = 0 as BotKey;

/** A bot in memory without visitors. */
export function draftBot(
  document: BotDocument,
  version: number,
  { model, sentences }: TrainedModel,
  knowledge: BotKnowledge,
): LoadedBot {
  const meaning = sentences && openSentenceModel(sentences);
  return new LoadedBot(
    { key: UNSTORED, id: document.id, version, document },
    { classifier: openIntentModel(model), findSentences: () => meaning },
    knowledge,
  );
}

/** Drafts whose models are cached, so that trying, previewing and testing train only once. A model of 20 intents takes 0.5 MB. */
const MAX_MODELS = 8;

/** The models of drafts: from the store, from the cache, or trained now. */
export class DraftModels {
  readonly #store: ModelStore;
  /** By id, least recently used first. */
  readonly #models = new Map<string, TrainedModel>();
  /** Training takes a core, so only one runs at a time. Stored and cached models need not wait. */
  readonly #trainings = new OneAtATime();

  constructor(store: ModelStore) {
    this.#store = store;
  }

  /** @throws the signal's reason if it aborts before or during training. */
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
    if (this.#models.size > MAX_MODELS) this.#models.delete(this.#models.keys().next().value!);
    return model;
  }
}

/** Trains a model that is not stored. */
async function trainOne(
  document: BotDocument,
  onTraining: OnTraining | undefined,
  signal: AbortSignal | undefined,
): Promise<TrainedModel> {
  const nothing = { hasIntentModel: async () => false, findSentenceModel: async () => undefined };
  const { trained } = await trainBots(nothing, [document], { onTraining, signal });
  return trained.get(intentModelIdOf(document))!;
}
