import type { BotDocument } from "../domain/bot.ts";
import type { Awaitable } from "../domain/waiting.ts";
import type { BotHead, BotKey, SizedDocument } from "../store/interface/bots.ts";
import type { Bots, Knowledge, Store } from "../store/interface/store.ts";
import type { BotKnowledge, KnowledgeOf } from "./bot-knowledge.ts";
import { BoundedCache, type Sized } from "./bounded-cache.ts";
import { Classifiers } from "./classifiers.ts";
import { KnowledgeIndexes } from "./knowledge-indexes.ts";
import { LoadedBot } from "./loaded-bot.ts";
import { readBot, unreadableBot } from "./read-bot.ts";
import { SentenceModels } from "./sentence-models.ts";
import { isCurrentModel } from "./training.ts";

/** Memory of all bots of a process without classifiers: about 1,200 of 20 intents with 20 examples each. */
const MAX_BYTES = 128e6;
/** Memory of a bot per character of its document: 0.1 MB for 22,000 characters. */
const BYTES_OF_CHARACTER = 4;
const BYTES_OF_BOT = 16_000;

/** Store of bots and their models. */
interface StoredBots extends Pick<Store, "findBotDocument" | "findIntentModel" | "findSentenceModel"> {
  bots: Pick<Bots, "listEnabled">;
  knowledge: Pick<Knowledge, "generations" | "listPassageIds" | "readTerms" | "findPassages">;
}

interface RegistryOptions {
  /** Maximum memory of bots without classifiers. */
  mostBytes?: number;
  mostClassifierBytes?: number;
  /** `off`: sentence models are not used. */
  encoder?: "on" | "off";
  /** Returns a bot's documents; default: those of the store. */
  knowledgeOf?: KnowledgeOf;
}

/** The enabled bots of a running server. Documents and models are opened on demand. */
export class BotRegistry {
  readonly #store: StoredBots;
  readonly #classifiers: Classifiers;
  readonly #sentences: Pick<SentenceModels, "find"> | "off";
  readonly #open: BoundedCache<BotHead, LoadedBot>;
  readonly #indexes: KnowledgeIndexes;
  readonly #knowledgeOf: KnowledgeOf;
  /** A number for each bot with documents, which changes with them. */
  #generations: ReadonlyMap<BotKey, number> = new Map();
  #heads: ReadonlyMap<string, BotHead> = new Map();
  /** Number of reloads begun, and of the latest one taken over. */
  #begun = 0;
  #taken = 0;

  constructor(
    store: StoredBots,
    { mostBytes = MAX_BYTES, mostClassifierBytes, encoder = "on", knowledgeOf }: RegistryOptions = {},
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
   * Finds an enabled bot. An open bot is returned at once; another is opened, which takes some milliseconds.
   *
   * @throws ServiceError STORAGE_UNAVAILABLE, also if this bot's record cannot be read
   */
  find(id: string): Awaitable<LoadedBot | undefined> {
    const head = this.#heads.get(id);
    if (!head) return undefined;
    if (head.intentModelId !== undefined) this.#classifiers.touch(head.intentModelId);
    return this.#open.find(head);
  }

  /** The outline of a served bot, without opening it. A version of a bot is always the same object. */
  headOf(id: string): BotHead | undefined {
    return this.#heads.get(id);
  }

  /** The outlines of all served bots. */
  heads(): Iterable<BotHead> {
    return this.#heads.values();
  }

  /**
   * The document of a served bot, for display. It is read each time, without opening the bot.
   *
   * @returns undefined if the bot was deleted and this server has not noticed yet
   * @throws ServiceError STORAGE_UNAVAILABLE
   */
  async readDocument(head: BotHead): Promise<BotDocument | undefined> {
    return (await this.#read(head))?.document;
  }

  get size(): number {
    return this.#heads.size;
  }

  /** Number of open bots. */
  get openBots(): number {
    return this.#open.size;
  }

  /**
   * Reads the current bots from the store; unchanged ones stay open. The result of a reload is discarded if a later one was faster.
   *
   *
   * @param unreadable ids of bots that cannot be read and therefore not trained; `find` reports them.
   * @returns enabled bots that must be trained first; meanwhile their earlier version, if any, answers.
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

  /** Follows other processes' changes. */
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

  /** Undefined if the bot was deleted and this server has not noticed yet. */
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

  /** Otherwise each of them would hold a classifier that is no longer counted. Turns in progress keep their bot. */
  #closeBotsOf(intentModelId: string): void {
    for (const head of this.#open.keys()) if (head.intentModelId === intentModelId) this.#open.delete(head);
  }
}
