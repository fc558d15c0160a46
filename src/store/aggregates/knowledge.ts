import type { BotId } from "../../domain/ids.ts";
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
import { documentFromRow, type DocumentRow, IS_ANSWERED_FROM } from "../knowledge/document-rows.ts";
import { changesAnswers, sourceFromRow, type SourceRow } from "../knowledge/source-rows.ts";
import { json, sql, text } from "../sql/sql.ts";
import { all, type Engine, first, run, type Work } from "../sql/work.ts";
import type { SqlChanges } from "./changes.ts";
import { bumpGeneration, lockGeneration } from "./generation.ts";
import { IS_WHOLE } from "./references.ts";

/** How an engine writes documents in steps, and reads passages on the path of a message. */
export type Documents = Pick<
  Knowledge,
  "saveDocuments" | "removeDocuments" | "listPassageIds" | "readTerms" | "findPassages"
>;

/** The documents that bots answer from. */
export class SqlKnowledge implements Knowledge {
  readonly #engine: Engine;
  readonly #changes: Pick<SqlChanges, "append">;
  readonly #documents: Documents;

  constructor(engine: Engine, changes: Pick<SqlChanges, "append">, documents: Documents) {
    this.#engine = engine;
    this.#changes = changes;
    this.#documents = documents;
  }

  listSources(bot: BotKey): Promise<StoredSource[]> {
    return this.#engine.read(() => listSources(bot));
  }

  changeSources(bot: BotKey, change: ChangeSources): Promise<SourcesChange> {
    return this.#engine.write(function* () {
      yield* lockGeneration();
      const before = yield* listSources(bot);
      const changed = { before, after: change(before) };
      if (Bun.deepEquals(changed.before, changed.after)) return changed;
      yield* replaceSources(bot, changed.after);
      if (changesAnswers(changed)) yield* announceDocuments(bot);
      return changed;
    });
  }

  async listDocuments(bot: BotKey): Promise<StoredDocument[]> {
    const statement = sql`
      SELECT id, source, place, title, url, hash, etag, last_modified,
        (SELECT count(*) FROM knowledge_passages WHERE document_key = knowledge_documents.key) AS passages
      FROM knowledge_documents WHERE bot_key = ${bot} AND ${IS_WHOLE} ORDER BY place`;
    return (await this.#engine.read(() => all<DocumentRow>(statement))).map(documentFromRow);
  }

  saveDocuments(
    bot: BotKey,
    documents: readonly DocumentToStore[],
    onStored?: (passages: number) => void,
  ): Promise<void> {
    return this.#documents.saveDocuments(bot, documents, onStored);
  }

  removeDocuments(bot: BotKey, ids: readonly string[]): Promise<void> {
    return this.#documents.removeDocuments(bot, ids);
  }

  noteChange(bot: BotKey, change: DocumentsChange): Promise<void> {
    return this.#engine.write(() => this.#noteChange(bot, change));
  }

  async generations(): Promise<ReadonlyMap<BotKey, number>> {
    const statement = sql`SELECT bot_key, generation FROM knowledge`;
    const rows = await this.#engine.read(() => all<{ bot_key: BotKey; generation: number }>(statement));
    return new Map(rows.map(({ bot_key: bot, generation }) => [bot, generation]));
  }

  listPassageIds(bot: BotKey): Promise<number[]> {
    return this.#documents.listPassageIds(bot);
  }

  readTerms(ids: readonly number[]) {
    return this.#documents.readTerms(ids);
  }

  findPassages(ids: readonly number[]) {
    return this.#documents.findPassages(ids);
  }

  *#noteChange(bot: BotKey, change: DocumentsChange): Work<void> {
    const row = yield* first<{ id: BotId; documents: number }>(sql`
      SELECT id, (
        SELECT count(*) FROM knowledge_documents WHERE bot_key = bots.key AND ${IS_WHOLE} AND ${text(IS_ANSWERED_FROM)}
      ) AS documents FROM bots WHERE key = ${bot}`);
    if (row) yield* this.#changes.append(documentsChangeOf(row.id, change, row.documents));
  }
}

function* listSources(bot: BotKey): Work<StoredSource[]> {
  const rows = yield* all<SourceRow>(sql`
    SELECT name, origin, folder, entry, outcome, is_retired FROM knowledge_sources WHERE bot_key = ${bot} ORDER BY place`);
  return rows.map((row) => sourceFromRow(row, bot));
}

function* replaceSources(bot: BotKey, sources: readonly StoredSource[]): Work<void> {
  yield* run(sql`DELETE FROM knowledge_sources WHERE bot_key = ${bot}`);
  for (const [place, { name, origin, folder, entry, outcome, isRetired = false }] of sources.entries())
    yield* run(sql`
      INSERT INTO knowledge_sources (bot_key, name, place, origin, folder, entry, outcome, is_retired)
      VALUES (${bot}, ${name}, ${place}, ${origin}, ${folder}, ${json(entry)}, ${outcome && json(outcome)}, ${isRetired})`);
}

/** Running servers look at the generation of all bots, and then at the bot's own. */
export function* announceDocuments(bot: BotKey): Work<void> {
  yield* run(sql`
    INSERT INTO knowledge (bot_key, generation) VALUES (${bot}, 1)
    ON CONFLICT (bot_key) DO UPDATE SET generation = knowledge.generation + 1`);
  yield* bumpGeneration();
}
