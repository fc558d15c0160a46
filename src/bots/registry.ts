import type { BotLimits } from "../domain/bot.ts";
import type { BotHead, BotStore } from "../store/bots.ts";
import type { Store } from "../store/store.ts";
import { BoundedCache } from "./bounded-cache.ts";
import { Classifiers } from "./classifiers.ts";
import { LoadedBot } from "./loaded-bot.ts";
import { SentenceModels } from "./sentence-models.ts";
import { isCurrentModel } from "./training.ts";

/** Of all bots of a process, without what they classify with: some 1,200 of 20 intents with 20 examples each. */
const MOST_BYTES = 128e6;
/** In use, a bot whose document has 22,000 characters takes 0.1 MB. */
const BYTES_OF_CHARACTER = 4;
const BYTES_OF_BOT = 16_000;

/** Where bots and their models are kept. */
interface StoredBots extends Pick<Store, "findBotDocument" | "findIntentModel" | "findSentenceModel"> {
  bots: Pick<BotStore, "listEnabled">;
}

/** A bot that is served, and its trained model. */
type ServedHead = BotHead & { intentModelId: string };

/** The enabled bots of a running server. Their documents and models are opened when they are asked for. */
export class BotRegistry {
  readonly #store: StoredBots;
  readonly #classifiers: Classifiers;
  readonly #sentences: SentenceModels;
  readonly #open: BoundedCache<ServedHead, LoadedBot>;
  #heads: ReadonlyMap<string, ServedHead> = new Map();

  constructor(store: StoredBots, mostBytes = MOST_BYTES) {
    this.#store = store;
    this.#classifiers = new Classifiers(store);
    this.#sentences = new SentenceModels(store);
    this.#open = new BoundedCache({ mostBytes, open: (head) => this.#openBot(head) });
  }

  /**
   * A disabled bot is not found. One that is not open is opened, which takes some milliseconds.
   *
   * @throws UnusableDatabaseError where its document is damaged
   * @throws ServiceError STORAGE_UNAVAILABLE
   */
  find(id: string): LoadedBot | undefined {
    const head = this.#heads.get(id);
    return head && this.#open.find(head);
  }

  /** The limits of a bot, which is not opened for them. */
  limitsOf(id: string): BotLimits | undefined {
    return this.#heads.get(id)?.limits;
  }

  /** What is known of each bot that is served. A version of a bot is always the same object. */
  heads(): Iterable<BotHead> {
    return this.#heads.values();
  }

  get size(): number {
    return this.#heads.size;
  }

  /** How many bots are open. */
  get openBots(): number {
    return this.#open.size;
  }

  /**
   * Takes what the store holds now; bots that have not changed stay open.
   *
   * @returns enabled bots that have to be trained first: until then, the version before them answers, if there was one.
   */
  reload(): BotHead[] {
    const heads = new Map<string, ServedHead>();
    const untrained: BotHead[] = [];
    for (const stored of this.#store.bots.listEnabled()) {
      const head = this.#servedOf(stored);
      if (head) heads.set(stored.id, head);
      if (head?.version !== stored.version) untrained.push(stored);
    }
    for (const [id, head] of this.#heads) if (heads.get(id) !== head) this.#open.delete(head);
    this.#heads = heads;
    return untrained;
  }

  #servedOf(stored: BotHead): ServedHead | undefined {
    const { intentModelId } = stored;
    const before = this.#heads.get(stored.id);
    const earlier = before?.key === stored.key ? before : undefined;
    if (intentModelId === undefined || !isCurrentModel(intentModelId)) return earlier;
    if (earlier?.version === stored.version && earlier.intentModelId === intentModelId) return earlier;
    return { ...stored, intentModelId };
  }

  /** Undefined where the bot has been deleted, and this server has yet to notice. */
  #openBot(head: ServedHead) {
    const stored = this.#store.findBotDocument(head);
    if (!stored) return undefined;
    const { document, characters } = stored;
    const value = new LoadedBot(
      { ...head, document },
      {
        getClassifier: () => this.#classifiers.get(head.intentModelId),
        findSentences: () => this.#sentences.find(head.intentModelId),
      },
    );
    return { value, bytes: BYTES_OF_BOT + BYTES_OF_CHARACTER * characters };
  }
}
