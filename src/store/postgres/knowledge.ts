import type { BotId } from "../../domain/ids.ts";
import type { Passage } from "../../knowledge/passage.ts";
import type { IndexedPassage } from "../../knowledge/search-index.ts";
import { bumpGeneration, lockGeneration } from "../aggregates/generation.ts";
import { documentsChangeOf } from "../changes/noted-changes.ts";
import type { BotKey } from "../interface/bots.ts";
import type {
  ChangeSources,
  DocumentsChange,
  DocumentToStore,
  Knowledge,
  SourcesChange,
  StoredDocument,
  StoredSource,
} from "../interface/knowledge.ts";
import { documentBatches, MOST_IN_STEP } from "../knowledge/document-batches.ts";
import { changesAnswers } from "../knowledge/source-rows.ts";
import type { ChangeRecorder } from "./change-recorder.ts";
import { List, type Queries } from "./connection.ts";
import { insertDocuments, IS_ANSWERED_FROM, listDocuments } from "./knowledge/documents.ts";
import { findPassages, insertPassages, listPassageIds, readTerms } from "./knowledge/passages.ts";
import { listSources, replaceSources } from "./knowledge/sources.ts";
import type { Pool } from "./pool.ts";
import { runOn } from "./postgres-engine.ts";

const COUNT = `
SELECT id, (
  SELECT count(*)::int4 FROM knowledge_documents WHERE bot_key = bots.key AND ${IS_ANSWERED_FROM}
) AS documents
FROM bots WHERE key = $1`;

const DELETE = "DELETE FROM knowledge_documents WHERE bot_key = $1 AND id = ANY($2::text[])";

const ANNOUNCE = `
INSERT INTO knowledge AS known (bot_key, generation) VALUES ($1, 1)
ON CONFLICT (bot_key) DO UPDATE SET generation = known.generation + 1`;

/**
 * The documents that bots answer from. A document is replaced in one transaction, and some small ones share it. Whoever changes documents
 * takes the row of the generation first, so that one command waits for another.
 */
export class PostgresKnowledge implements Knowledge {
  readonly #pool: Pool;
  readonly #changes: ChangeRecorder;

  constructor(pool: Pool, changes: ChangeRecorder) {
    this.#pool = pool;
    this.#changes = changes;
  }

  listSources(bot: BotKey): Promise<StoredSource[]> {
    return listSources(this.#pool, bot);
  }

  changeSources(bot: BotKey, change: ChangeSources): Promise<SourcesChange> {
    return this.#pool.transaction(async (queries) => {
      await runOn(queries, lockGeneration());
      const before = await listSources(queries, bot);
      const changed = { before, after: change(before) };
      if (Bun.deepEquals(changed.before, changed.after)) return changed;
      await replaceSources(queries, bot, changed.after);
      if (changesAnswers(changed)) await announce(queries, bot);
      return changed;
    });
  }

  listDocuments(bot: BotKey): Promise<StoredDocument[]> {
    return listDocuments(this.#pool, bot);
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

  noteChange(bot: BotKey, change: DocumentsChange): Promise<void> {
    return this.#pool.transaction(async (queries) => {
      const [row] = await queries.query<{ id: BotId; documents: number }>(COUNT, [bot]);
      if (row) await this.#changes.append(queries, documentsChangeOf(row.id, change, row.documents));
    });
  }

  async generations(): Promise<ReadonlyMap<BotKey, number>> {
    const rows = await this.#pool.query<{ bot: BotKey; generation: number }>(
      "SELECT bot_key::float8 AS bot, generation::float8 AS generation FROM knowledge",
    );
    return new Map(rows.map(({ bot, generation }) => [bot, generation]));
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
      await announce(queries, bot);
    });
  }
}

/** Running servers look at the generation of all bots, and then at the bot's own. Part of the caller's transaction. */
async function announce(queries: Queries, bot: BotKey): Promise<void> {
  await queries.query(ANNOUNCE, [bot]);
  await runOn(queries, bumpGeneration());
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
