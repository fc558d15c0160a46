import { sha256 } from "../domain/sha256.ts";
import { type EmbeddingIndex, indexEmbeddings, unitVector } from "../intent/classifier.ts";
import type { ModelFleet } from "../model/model-fleet.ts";
import type { Store } from "../store/interface/store.ts";
import type { LoadedBot } from "./loaded-bot.ts";

/** Timeout for embedding a bot's examples, which is done once per example. */
const INDEXING_MS = 10 * 60 * 1000;

/** Store of embeddings. */
type SqliteVectors = Pick<Store, "findEmbedding" | "saveEmbeddings">;

/** Embedded examples of bots, made at the first message and kept while the bot's version is served. */
export class EmbeddingIndexes {
  readonly #store: SqliteVectors;
  readonly #models: Pick<ModelFleet, "find" | "embed">;
  readonly #indexes = new WeakMap<LoadedBot, Promise<EmbeddingIndex | undefined>>();

  constructor(store: SqliteVectors, models: Pick<ModelFleet, "find" | "embed">) {
    this.#store = store;
    this.#models = models;
  }

  /** The index of a bot by a server's embeddings; undefined if the server failed; the next message tries again. */
  find(bot: LoadedBot, server: string): Promise<EmbeddingIndex | undefined> {
    const known = this.#indexes.get(bot);
    if (known) return known;
    const made = this.#make(bot, server).then(
      (index) => {
        if (!index) this.#indexes.delete(bot);
        return index;
      },
      (error: unknown) => {
        this.#indexes.delete(bot);
        throw error;
      },
    );
    this.#indexes.set(bot, made);
    return made;
  }

  async #make(bot: LoadedBot, server: string): Promise<EmbeddingIndex | undefined> {
    const settings = this.#models.find(server)?.settings;
    if (!settings) return undefined;
    const model = `${server}/${settings.model}`;
    const examples = examplesOf(bot).map((example) => ({ ...example, hash: sha256(example.text) }));
    const known = await Promise.all(examples.map(({ hash }) => this.#store.findEmbedding(model, hash)));
    const missing = examples.filter((_, index) => known[index] === undefined);
    const made = await this.#models.embed(
      server,
      missing.map(({ text }) => text),
      AbortSignal.timeout(INDEXING_MS),
    );
    if (!made?.vectors) return undefined;
    const { vectors } = made;
    const fresh = new Map(missing.map(({ hash }, index) => [hash, unitVector(vectors[index]!)]));
    if (fresh.size > 0) await this.#store.saveEmbeddings(model, fresh);
    return indexEmbeddings(
      examples.map(({ intent, hash }, index) => ({ intent, vector: known[index] ?? fresh.get(hash)! })),
    );
  }
}

function examplesOf({ document, policy }: LoadedBot): { intent: number; text: string }[] {
  return (document.intents ?? []).flatMap(({ name, examples = [] }) => {
    const intent = policy.intents.findIndex((known) => known === name);
    return intent < 0 ? [] : examples.map((text) => ({ intent, text }));
  });
}
