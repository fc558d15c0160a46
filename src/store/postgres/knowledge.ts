import type { Passage } from "../../knowledge/passage.ts";
import type { IndexedPassage } from "../../knowledge/search-index.ts";
import { lockGeneration } from "../aggregates/generation.ts";
import { announceDocuments, type Documents } from "../aggregates/knowledge.ts";
import type { BotKey } from "../interface/bots.ts";
import type { DocumentToStore } from "../interface/knowledge.ts";
import { documentBatches, MOST_IN_STEP } from "../knowledge/document-batches.ts";
import { List, type Queries } from "./connection.ts";
import { insertDocuments } from "./knowledge/documents.ts";
import { findPassages, insertPassages, listPassageIds, readTerms } from "./knowledge/passages.ts";
import type { Pool } from "./pool.ts";
import { runOn } from "./postgres-engine.ts";

const DELETE = "DELETE FROM knowledge_documents WHERE bot_key = $1 AND id = ANY($2::text[])";

/**
 * Writes documents. One is replaced in one transaction, and some small ones share it. Whoever changes documents
 * takes the row of the generation first, so that one command waits for another.
 */
export class PostgresKnowledge implements Documents {
  readonly #pool: Pool;

  constructor(pool: Pool) {
    this.#pool = pool;
  }

  async saveDocuments(
    bot: BotKey,
    documents: readonly DocumentToStore[],
    onStored: (passages: number) => void = () => {},
  ): Promise<void> {
    for (const batch of documentBatches(documents)) {
      // What is tried again is told of once.
      let told = 0;
      await this.#change(bot, (queries) =>
        replaceDocuments(queries, bot, batch, (stored) => {
          if (stored > told) onStored(stored - told);
          told = Math.max(stored, told);
        }),
      );
    }
  }

  async removeDocuments(bot: BotKey, ids: readonly string[]): Promise<void> {
    for (let from = 0; from < ids.length; from += MOST_IN_STEP) {
      const some = new List(ids.slice(from, from + MOST_IN_STEP));
      await this.#change(bot, async (queries) => void (await queries.query(DELETE, [bot, some])));
    }
  }

  listPassageIds(bot: BotKey): Promise<number[]> {
    return listPassageIds(this.#pool, bot);
  }

  readTerms(ids: readonly number[]): Promise<IndexedPassage[]> {
    return readTerms(this.#pool, ids);
  }

  findPassages(ids: readonly number[]): Promise<Map<number, Passage>> {
    return findPassages(this.#pool, ids);
  }

  #change(bot: BotKey, change: (queries: Queries) => Promise<void>): Promise<void> {
    return this.#pool.transaction(async (queries) => {
      await runOn(queries, lockGeneration());
      await change(queries);
      await runOn(queries, announceDocuments(bot));
    });
  }
}

/** Part of the caller's transaction. @param onStep told how many passages have been written so far. */
async function replaceDocuments(
  queries: Queries,
  bot: BotKey,
  documents: readonly DocumentToStore[],
  onStep: (stored: number) => void,
): Promise<void> {
  // Of two with one id, the latter counts.
  const byId = new Map(documents.map((document) => [document.id, document]));
  await queries.query(DELETE, [bot, new List([...byId.keys()])]);
  const keys = await insertDocuments(queries, bot, [...byId.values()]);
  const passages = byId
    .values()
    .flatMap(({ id, passages: own }) => own.map((passage) => ({ document: keys.get(id)!, ...passage })))
    .toArray();
  for (let from = 0; from < passages.length; from += MOST_IN_STEP) {
    const step = passages.slice(from, from + MOST_IN_STEP);
    await insertPassages(queries, step);
    onStep(from + step.length);
  }
}
