import type { BotDocument } from "../domain/bot.ts";
import type { Awaitable } from "../domain/wait-at-most.ts";
import type { BotHead, BotKey, Bots, SizedDocument } from "../store/interface/bots.ts";
import type { Knowledge } from "../store/interface/knowledge.ts";
import type { Store } from "../store/interface/store.ts";
import type { BotKnowledge, KnowledgeOf } from "./bot-knowledge.ts";
import { BoundedCache, type Sized } from "./bounded-cache.ts";
import { Classifiers } from "./classifiers.ts";
import { KnowledgeIndexes } from "./knowledge-indexes.ts";
import { LoadedBot } from "./loaded-bot.ts";
import { readBot, unreadableBot } from "./read-bot.ts";
import { SentenceModels } from "./sentence-models.ts";
import { isCurrentModel } from "./training.ts";

/** Of all bots of a process, without what they classify with: some 1,200 of 20 intents with 20 examples each. */
const MOST_BYTES = 128e6;
/** In use, a bot whose document has 22,000 characters takes 0.1 MB. */
const BYTES_OF_CHARACTER = 4;
const BYTES_OF_BOT = 16_000;

/** Where bots and their models are kept. */
interface StoredBots extends Pick<Store, "findBotDocument" | "findIntentModel" | "findSentenceModel"> {
  bots: Pick<Bots, "listEnabled">;
  knowledge: Pick<Knowledge, "generations" | "listPassageIds" | "readTerms" | "findPassages">;
}

interface RegistryOptions {
  /** Of bots, without what they classify with. */
  mostBytes?: number;
  mostClassifierBytes?: number;
  /** `off`: what examples mean is not looked at. */
  encoder?: "on" | "off";
  /** Where a bot's documents are; those of the store where it is not given. */
  knowledgeOf?: KnowledgeOf;
}

/** The enabled bots of a running server. Their documents and models are opened when they are asked for. */
export class BotRegistry {
  readonly #store: StoredBots;
  readonly #classifiers: Classifiers;
  readonly #sentences: Pick<SentenceModels, "find"> | "off";
  readonly #open: BoundedCache<BotHead, LoadedBot>;
  readonly #indexes: KnowledgeIndexes;
  readonly #knowledgeOf: KnowledgeOf;
  /** A number for each bot with documents, another one whenever they have changed. */
  #generations: ReadonlyMap<BotKey, number> = new Map();
  #heads: ReadonlyMap<string, BotHead> = new Map();
  /** Reloads that were begun, and the latest of them that was taken over. */
  #begun = 0;
  #taken = 0;

  constructor(
    store: StoredBots,
    { mostBytes = MOST_BYTES, mostClassifierBytes, encoder = "on", knowledgeOf }: RegistryOptions = {},
  ) {
    this.#store = store;
    this.#indexes = new KnowledgeIndexes(store.knowledge);
    this.#knowledgeOf = knowledgeOf ?? (({ key }) => this.#storedKnowledge(key));
    this.#classifiers = new Classifiers(store, {
      onDropped: (intentModelId) => this.#closeBotsOf(intentModelId),
      ...(mostClassifierBytes !== undefined && { mostBytes: mostClassifierBytes }),
    });
    this.#sentences = encoder === "on" ? new SentenceModels(store) : encoder;
    this.#open = new BoundedCache({ mostBytes, open: (head) => this.#openBot(head) });
  }

  /**
   * A disabled bot is not found. One that is open is there at once; another is opened, which takes some milliseconds.
   *
   * @throws ServiceError STORAGE_UNAVAILABLE, also where what is stored of this bot cannot be read
   */
  find(id: string): Awaitable<LoadedBot | undefined> {
    const head = this.#heads.get(id);
    if (!head) return undefined;
    if (head.intentModelId !== undefined) this.#classifiers.touch(head.intentModelId);
    return this.#open.find(head);
  }

  /** What is known of a bot that is served, which is not opened for it. A version of a bot is always the same object. */
  headOf(id: string): BotHead | undefined {
    return this.#heads.get(id);
  }

  /** What is known of each bot that is served. */
  heads(): Iterable<BotHead> {
    return this.#heads.values();
  }

  /**
   * The document of a bot that is served, for those who show it. It is read each time, and the bot is not opened.
   *
   * @returns undefined where the bot has been deleted, and this server has yet to notice
   * @throws ServiceError STORAGE_UNAVAILABLE
   */
  async readDocument(head: BotHead): Promise<BotDocument | undefined> {
    return (await this.#read(head))?.document;
  }

  get size(): number {
    return this.#heads.size;
  }

  /** How many bots are open. */
  get openBots(): number {
    return this.#open.size;
  }

  /**
   * Takes what the store holds now; bots that have not changed stay open. What a reload has read is not taken over any more where one
   * that began later was faster.
   *
   * @param unreadable ids of bots that cannot be trained, as they cannot be read: whoever asks for them is told so.
   * @returns enabled bots that have to be trained first: until then, the version before them answers, if there was one.
   */
  async reload(unreadable: ReadonlySet<string> = new Set()): Promise<BotHead[]> {
    const place = ++this.#begun;
    const [enabled, generations] = await Promise.all([
      this.#store.bots.listEnabled(),
      this.#store.knowledge.generations(),
    ]);
    const heads = new Map<string, BotHead>();
    const untrained: BotHead[] = [];
    for (const stored of enabled) {
      const head = unreadable.has(stored.id) ? stored : this.#servedOf(stored);
      if (head) heads.set(stored.id, head);
      if (head?.version !== stored.version) untrained.push(stored);
    }
    if (place > this.#taken) {
      this.#taken = place;
      this.#generations = generations;
      this.#take(heads);
    }
    return untrained;
  }

  /** Follows what other processes store. */
  #storedKnowledge(key: BotKey): BotKnowledge {
    const generation = () => this.#generations.get(key);
    return {
      isThere: () => generation() !== undefined,
      open: () => this.#indexes.find(key, generation() ?? 0),
      readPassages: (ids) => this.#store.knowledge.findPassages(ids),
      refresh: async () => {
        this.#generations = await this.#store.knowledge.generations();
      },
    };
  }

  #take(heads: ReadonlyMap<string, BotHead>): void {
    for (const [id, head] of this.#heads) if (heads.get(id) !== head) this.#open.delete(head);
    this.#heads = heads;
  }

  #servedOf(stored: BotHead): BotHead | undefined {
    const { intentModelId } = stored;
    const before = this.#heads.get(stored.id);
    const earlier = before?.key === stored.key ? before : undefined;
    if (intentModelId === undefined || !isCurrentModel(intentModelId)) return earlier;
    if (earlier?.version === stored.version && earlier.intentModelId === intentModelId) return earlier;
    return stored;
  }

  /** Undefined where the bot has been deleted, and this server has yet to notice. */
  async #openBot(head: BotHead): Promise<Sized<LoadedBot> | undefined> {
    const { intentModelId = "" } = head;
    const stored = await this.#read(head);
    if (!stored) return undefined;
    const { document, characters } = stored;
    // Last, so that it is not dropped before the bot is kept.
    const classifier = await this.#classifiers.find(intentModelId);
    if (!classifier) throw new Error(`the intent model ${intentModelId} is gone from the database`);
    const sentences = this.#sentences;
    const findSentences = () => (sentences === "off" ? sentences : sentences.find(intentModelId));
    const models = { classifier, findSentences };
    const value = new LoadedBot({ ...head, document }, models, this.#knowledgeOf(head));
    return { value, bytes: BYTES_OF_BOT + BYTES_OF_CHARACTER * characters };
  }

  async #read(head: BotHead): Promise<SizedDocument | undefined> {
    try {
      return await readBot(this.#store, head);
    } catch (error) {
      throw unreadableBot(error);
    }
  }

  /** Else each of them would keep a classifier that is not counted any more. A turn that has begun goes on with its bot. */
  #closeBotsOf(intentModelId: string): void {
    for (const head of this.#open.keys()) if (head.intentModelId === intentModelId) this.#open.delete(head);
  }
}
