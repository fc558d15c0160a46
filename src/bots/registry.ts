import type { BotKey, Bots, StoredBot } from "../store/interface/bots.ts";
import type { Knowledge } from "../store/interface/knowledge.ts";
import type { ModelStore } from "../store/interface/store.ts";
import type { BotKnowledge, KnowledgeOf } from "./bot-knowledge.ts";
import { KnowledgeIndexes } from "./knowledge-indexes.ts";
import { LoadedBot } from "./loaded-bot.ts";
import { SentenceModels } from "./sentence-models.ts";
import { isCurrentModel } from "./training.ts";

/** Where bots and their models are kept. */
interface StoredBots extends Pick<ModelStore, "findIntentModel" | "findSentenceModel"> {
  bots: Pick<Bots, "list">;
  knowledge: Pick<Knowledge, "generations" | "listPassageIds" | "readTerms" | "findPassages">;
}

/** The enabled bots of a running server. */
export class BotRegistry {
  readonly #store: StoredBots;
  readonly #sentences: SentenceModels;
  readonly #indexes: KnowledgeIndexes;
  readonly #knowledgeOf: KnowledgeOf;
  /** A number for each bot with documents, another one whenever they have changed. */
  #generations: ReadonlyMap<BotKey, number> = new Map();
  #bots: ReadonlyMap<string, LoadedBot> = new Map();
  /** Reloads that were begun, and the latest of them that was taken over. */
  #begun = 0;
  #taken = 0;

  /** @param knowledgeOf where a bot's documents are; those of the store where it is not given. */
  constructor(store: StoredBots, knowledgeOf?: KnowledgeOf) {
    this.#store = store;
    this.#indexes = new KnowledgeIndexes(store.knowledge);
    this.#knowledgeOf = knowledgeOf ?? (({ key }) => this.#storedKnowledge(key));
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
   * Takes what the store holds now; bots that have not changed stay compiled. What a reload has read is not taken over any more where
   * one that began later was faster.
   *
   * @returns enabled bots that have to be trained first: until then, the version before them answers, if there was one.
   */
  async reload(): Promise<StoredBot[]> {
    const place = ++this.#begun;
    const [stored, generations] = await Promise.all([
      this.#store.bots.list(),
      this.#store.knowledge.generations(),
    ]);
    const loaded = new Map<string, LoadedBot>();
    const untrained: StoredBot[] = [];
    for (const one of stored.filter(({ enabled }) => enabled)) {
      const bot = this.#load(one);
      if (bot) loaded.set(one.id, bot);
      if (bot?.version !== one.version) untrained.push(one);
    }
    if (place > this.#taken) [this.#bots, this.#generations, this.#taken] = [loaded, generations, place];
    return untrained;
  }

  #load(stored: StoredBot): LoadedBot | undefined {
    const { intentModelId } = stored;
    const before = this.#bots.get(stored.id);
    const earlier = before?.key === stored.key ? before : undefined;
    if (earlier?.version === stored.version) return earlier;
    if (intentModelId === undefined || !isCurrentModel(intentModelId)) return earlier;
    return new LoadedBot(
      stored,
      {
        open: () => this.#getModel(intentModelId),
        findSentences: () => this.#sentences.find(intentModelId),
      },
      this.#knowledgeOf(stored),
    );
  }

  /** Follows what other processes store. */
  #storedKnowledge(key: BotKey): BotKnowledge {
    const generation = () => this.#generations.get(key);
    return {
      isThere: () => generation() !== undefined,
      open: () => this.#indexes.find(key, generation() ?? 0),
      readPassages: (ids) => this.#store.knowledge.findPassages(ids),
    };
  }

  async #getModel(id: string): Promise<Uint8Array> {
    const bytes = await this.#store.findIntentModel(id);
    if (!bytes) throw new Error(`the intent model ${id} is gone from the database`);
    return bytes;
  }
}
