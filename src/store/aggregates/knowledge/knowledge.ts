import type { BotId } from "../../../domain/ids.ts";
import type { Passage } from "../../../knowledge/passage.ts";
import type { IndexedPassage } from "../../../knowledge/search-index.ts";
import { documentsChangeOf } from "../../changes/noted-changes.ts";
import type { BotKey } from "../../interface/bots.ts";
import type {
  ChangeSources,
  DocumentsChange,
  DocumentToStore,
  SourcesChange,
  StoredDocument,
  StoredSource,
} from "../../interface/knowledge.ts";
import { sql } from "../../sql/sql.ts";
import { all, first, run, type Work } from "../../sql/work.ts";
import { bumpGeneration, lockGeneration } from "../generation.ts";
import { AuditedPart } from "../part.ts";
import { stepsOf } from "../steps.ts";
import {
  countDocuments,
  deleteDocument,
  type DocumentKey,
  insertDocuments,
  listAbandoned,
  listDocuments,
  makeLive,
  retireDocuments,
} from "./documents.ts";
import { deletePassages, findPassages, insertPassages, listPassageIds, readTerms } from "./passages.ts";
import { changesAnswers, listSources, replaceSources } from "./sources.ts";

/** Passages that one step writes or deletes. SQLite's write lock is held for about 15 ms. */
const MAX_IN_STEP = 200;

/** Pause between two steps, in which another process can take SQLite's write lock: a server tries every 4 ms. */
const PAUSE_MS = 5;

/** An incomplete document of this age was left by a command that was interrupted. Chosen by hand. */
const ABANDONED_MS = 60 * 60_000;

/**
 * The documents that bots answer from. Documents are written in many small steps, so that messages are stored in between; a document
 * becomes searchable only when it is complete. A change of the searchable documents locks the generation first, so that commands run one
 * after the other.
 */
export class SqlKnowledge extends AuditedPart {
  /** In the order of the bot file; sources of commands last. */
  listSources(bot: BotKey): Promise<StoredSource[]> {
    return this.engine.read(() => listSources(bot));
  }

  /** Changes the stored sources in one transaction, so that concurrent changes are not lost. Documents stay. */
  changeSources(bot: BotKey, change: ChangeSources): Promise<SourcesChange> {
    return this.engine.write(function* () {
      yield* lockGeneration();
      const before = yield* listSources(bot);
      const changed = { before, after: change(before) };
      if (Bun.deepEquals(changed.before, changed.after)) return changed;
      yield* replaceSources(bot, changed.after);
      if (changesAnswers(changed)) yield* announce(bot);
      return changed;
    });
  }

  /** By place; includes documents of retired sources. */
  listDocuments(bot: BotKey): Promise<StoredDocument[]> {
    return this.engine.read(() => listDocuments(bot));
  }

  /** @param onStored receives the number of passages of each step. */
  async saveDocuments(
    bot: BotKey,
    documents: readonly DocumentToStore[],
    onStored: (passages: number) => void = () => {},
  ): Promise<void> {
    // Documents that another command is writing now are not live either, but younger.
    const before = this.now() - ABANDONED_MS;
    await this.#delete(await this.engine.read(() => listAbandoned(bot, before)));
    const replaced: DocumentKey[] = [];
    for (const batch of documentBatches(documents)) {
      const [only] = batch;
      if (batch.length === 1 && only!.passages.length > MAX_IN_STEP)
        replaced.push(...(await this.#saveLarge(bot, only!, onStored)));
      else replaced.push(...(await this.#saveTogether(bot, batch, onStored)));
    }
    await this.#delete(replaced);
  }

  /** Deletes documents by id; SQLite overwrites their bytes in the file. */
  async removeDocuments(bot: BotKey, ids: readonly string[]): Promise<void> {
    const retired: DocumentKey[] = [];
    for (const step of stepsOf(ids, MAX_IN_STEP)) {
      const keys = await this.engine.write(() => replaceWith(bot, step));
      retired.push(...keys);
      await Bun.sleep(PAUSE_MS);
    }
    await this.#delete(retired);
  }

  /** Records the change and its actor in the audit log. */
  noteChange(bot: BotKey, change: DocumentsChange): Promise<void> {
    return this.engine.write(() => this.#noteChange(bot, change));
  }

  /** A number for each bot that has or had documents, which differs after each change. */
  async generations(): Promise<ReadonlyMap<BotKey, number>> {
    const statement = sql`SELECT bot_key, generation FROM knowledge`;
    const rows = await this.engine.read(() => all<{ bot_key: BotKey; generation: number }>(statement));
    return new Map(rows.map(({ bot_key: bot, generation }) => [bot, generation]));
  }

  /** Ids of a bot's searchable passages, ascending. */
  listPassageIds(bot: BotKey): Promise<number[]> {
    return this.engine.read(() => listPassageIds(bot));
  }

  /** Index terms of passages, in the order of ids; deleted passages are left out. */
  readTerms(ids: readonly number[]): Promise<IndexedPassage[]> {
    return this.engine.read(() => readTerms(ids));
  }

  /** Passages by id; deleted ones are left out. */
  findPassages(ids: readonly number[]): Promise<Map<number, Passage>> {
    return this.engine.read(() => findPassages(ids));
  }

  *#noteChange(bot: BotKey, change: DocumentsChange): Work<void> {
    const row = yield* first<{ id: BotId }>(sql`SELECT id FROM bots WHERE key = ${bot}`);
    if (row) yield* this.changes.append(documentsChangeOf(row.id, change, yield* countDocuments(bot)));
  }

  /** Saves documents in one step. @returns the keys of replaced documents. */
  async #saveTogether(
    bot: BotKey,
    documents: readonly DocumentToStore[],
    onStored: (passages: number) => void,
  ): Promise<DocumentKey[]> {
    // If two documents have one id, the later one counts.
    const byId = new Map(documents.map((document) => [document.id, document]));
    const stored = { now: this.now(), isLive: true };
    const replaced = await this.engine.write(() =>
      replaceWith(bot, [...byId.keys()], function* () {
        const keys = yield* insertDocuments(bot, [...byId.values()], stored);
        const passages = byId
          .values()
          .flatMap(({ id, passages: own }) =>
            own.map((passage) => ({ ...passage, document: keys.get(id)! })),
          );
        yield* insertPassages([...passages]);
      }),
    );
    onStored(documents.reduce((sum, { passages }) => sum + passages.length, 0));
    await Bun.sleep(PAUSE_MS);
    return replaced;
  }

  /** Saves step by step; search finds the old document until the last new passage is stored. @returns the keys of replaced documents. */
  async #saveLarge(
    bot: BotKey,
    document: DocumentToStore,
    onStored: (passages: number) => void,
  ): Promise<DocumentKey[]> {
    const stored = { now: this.now(), isLive: false };
    const keys = await this.engine.write(() => insertDocuments(bot, [document], stored));
    const key = keys.get(document.id)!;
    for (const step of stepsOf(document.passages, MAX_IN_STEP)) {
      const passages = step.map((passage) => ({ ...passage, document: key }));
      await this.engine.write(() => insertPassages(passages));
      onStored(step.length);
      await Bun.sleep(PAUSE_MS);
    }
    return this.engine.write(() => replaceWith(bot, [document.id], () => makeLive(key)));
  }

  /** Deletes documents that are no longer searchable. */
  async #delete(documents: readonly DocumentKey[]): Promise<void> {
    let left = documents;
    while (left.length > 0) {
      const step = left;
      left = await this.engine.write(() => deleteStep(step));
      await Bun.sleep(PAUSE_MS);
    }
  }
}

/** Replaces documents in search, or removes them. @returns the keys of replaced documents, for the caller to delete. */
function* replaceWith(bot: BotKey, ids: readonly string[], others?: () => Work<void>): Work<DocumentKey[]> {
  yield* lockGeneration();
  const replaced = yield* retireDocuments(bot, ids);
  if (others) yield* others();
  yield* announce(bot);
  return replaced;
}

/** Bumps two counters: running servers poll the generation of all bots, and then the bot's own. */
function* announce(bot: BotKey): Work<void> {
  yield* run(sql`
    INSERT INTO knowledge AS known (bot_key, generation) VALUES (${bot}, 1)
    ON CONFLICT (bot_key) DO UPDATE SET generation = known.generation + 1`);
  yield* bumpGeneration();
}

/** Deletes documents until the step is full; a document counts as one passage. @returns the remaining documents. */
function* deleteStep(documents: readonly DocumentKey[]): Work<readonly DocumentKey[]> {
  let room = MAX_IN_STEP;
  for (const [place, key] of documents.entries()) {
    const deleted = room > 0 ? yield* deletePassages(key, room) : 0;
    if (deleted === room) return documents.slice(place);
    yield* deleteDocument(key);
    room -= deleted + 1;
  }
  return [];
}

/** Groups of documents within one step's number of passages. A larger document is a group of its own. */
function* documentBatches(documents: readonly DocumentToStore[]): Generator<DocumentToStore[]> {
  let batch: DocumentToStore[] = [];
  let passages = 0;
  for (const document of documents) {
    if (batch.length > 0 && passages + document.passages.length > MAX_IN_STEP) {
      yield batch;
      [batch, passages] = [[], 0];
    }
    batch.push(document);
    passages += document.passages.length;
  }
  if (batch.length > 0) yield batch;
}
