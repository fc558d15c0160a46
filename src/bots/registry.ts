import type { BotStore, StoredBot } from "../store/bots.ts";
import type { Store } from "../store/store.ts";
import { LoadedBot } from "./loaded-bot.ts";
import { SentenceModels } from "./sentence-models.ts";
import { isCurrentModel } from "./training.ts";

/** Where bots and their models are kept. */
interface StoredBots extends Pick<Store, "findIntentModel" | "findSentenceModel"> {
  bots: Pick<BotStore, "list">;
}

/** The enabled bots of a running server. */
export class BotRegistry {
  readonly #store: StoredBots;
  readonly #sentences: SentenceModels;
  #bots: ReadonlyMap<string, LoadedBot> = new Map();

  constructor(store: StoredBots) {
    this.#store = store;
    this.#sentences = new SentenceModels(store);
  }

  /** A disabled bot is not found. */
  find(id: string): LoadedBot | undefined {
    return this.#bots.get(id);
  }

  all(): Iterable<LoadedBot> {
    return this.#bots.values();
  }

  get size(): number {
    return this.#bots.size;
  }

  /**
   * Takes what the store holds now; bots that have not changed stay compiled.
   *
   * @returns enabled bots that have to be trained first: until then, the version before them answers, if there was one.
   */
  reload(): StoredBot[] {
    const loaded = new Map<string, LoadedBot>();
    const untrained: StoredBot[] = [];
    for (const stored of this.#store.bots.list().filter(({ enabled }) => enabled)) {
      const bot = this.#load(stored);
      if (bot) loaded.set(stored.id, bot);
      if (bot?.version !== stored.version) untrained.push(stored);
    }
    this.#bots = loaded;
    return untrained;
  }

  #load(stored: StoredBot): LoadedBot | undefined {
    const { intentModelId } = stored;
    const before = this.#bots.get(stored.id);
    const earlier = before?.key === stored.key ? before : undefined;
    if (earlier?.version === stored.version) return earlier;
    if (intentModelId === undefined || !isCurrentModel(intentModelId)) return earlier;
    return new LoadedBot(stored, {
      open: () => this.#getModel(intentModelId),
      findSentences: () => this.#sentences.find(intentModelId),
    });
  }

  #getModel(id: string): Uint8Array {
    const bytes = this.#store.findIntentModel(id);
    if (!bytes) throw new Error(`the intent model ${id} is gone from the database`);
    return bytes;
  }
}
