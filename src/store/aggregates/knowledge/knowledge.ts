import type { BotId } from "../../../domain/ids.ts";
import type { Now } from "../../../domain/time.ts";
import type { Passage } from "../../../knowledge/passage.ts";
import type { IndexedPassage } from "../../../knowledge/search-index.ts";
import { documentsChangeOf } from "../../changes/noted-changes.ts";
import type { BotKey } from "../../interface/bots.ts";
import type {
  ChangeSources,
  DocumentsChange,
  DocumentToStore,
  Knowledge,
  SourcesChange,
  StoredDocument,
  StoredSource,
} from "../../interface/knowledge.ts";
import { sql } from "../../sql/sql.ts";
import { all, type Engine, first, run, type Work } from "../../sql/work.ts";
import type { SqlChanges } from "../changes.ts";
import { bumpGeneration, lockGeneration } from "../generation.ts";
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

/** Passages that one step writes or deletes: it takes some 15 ms, in which SQLite's lock is held. */
const MOST_IN_STEP = 200;

/** What others that wait for SQLite's lock have between two steps: a server asks for it every 4 ms. */
const PAUSE_MS = 5;

/** A document that is not whole after this time was left by a command that ended. */
const ABANDONED_MS = 60 * 60_000;

/** The documents that bots answer from. Whoever changes what visitors find takes the generation first, so that one command waits for another. */
export class SqlKnowledge implements Knowledge {
  readonly #engine: Engine;
  readonly #now: Now;
  readonly #changes: Pick<SqlChanges, "append">;

  constructor(engine: Engine, now: Now, changes: Pick<SqlChanges, "append">) {
    this.#engine = engine;
    this.#now = now;
    this.#changes = changes;
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
      if (changesAnswers(changed)) yield* announce(bot);
      return changed;
    });
  }

  listDocuments(bot: BotKey): Promise<StoredDocument[]> {
    return this.#engine.read(() => listDocuments(bot));
  }

  async saveDocuments(
    bot: BotKey,
    documents: readonly DocumentToStore[],
    onStored: (passages: number) => void = () => {},
  ): Promise<void> {
    // What another command is writing at this moment is not found either, and younger.
    const before = this.#now() - ABANDONED_MS;
    await this.#delete(await this.#engine.read(() => listAbandoned(bot, before)));
    const replaced: DocumentKey[] = [];
    for (const batch of documentBatches(documents)) {
      const [only] = batch;
      if (batch.length === 1 && only!.passages.length > MOST_IN_STEP)
        replaced.push(...(await this.#saveLarge(bot, only!, onStored)));
      else replaced.push(...(await this.#saveTogether(bot, batch, onStored)));
    }
    await this.#delete(replaced);
  }

  async removeDocuments(bot: BotKey, ids: readonly string[]): Promise<void> {
    const retired: DocumentKey[] = [];
    for (const step of stepsOf(ids, MOST_IN_STEP)) {
      const keys = await this.#engine.write(() => replaceWith(bot, step));
      retired.push(...keys);
      await Bun.sleep(PAUSE_MS);
    }
    await this.#delete(retired);
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
    return this.#engine.read(() => listPassageIds(bot));
  }

  readTerms(ids: readonly number[]): Promise<IndexedPassage[]> {
    return this.#engine.read(() => readTerms(ids));
  }

  findPassages(ids: readonly number[]): Promise<Map<number, Passage>> {
    return this.#engine.read(() => findPassages(ids));
  }

  *#noteChange(bot: BotKey, change: DocumentsChange): Work<void> {
    const row = yield* first<{ id: BotId }>(sql`SELECT id FROM bots WHERE key = ${bot}`);
    if (row) yield* this.#changes.append(documentsChangeOf(row.id, change, yield* countDocuments(bot)));
  }

  /** @returns what was replaced. */
  async #saveTogether(
    bot: BotKey,
    documents: readonly DocumentToStore[],
    onStored: (passages: number) => void,
  ): Promise<DocumentKey[]> {
    // Of two with one id, the latter counts.
    const byId = new Map(documents.map((document) => [document.id, document]));
    const stored = { now: this.#now(), isLive: true };
    const replaced = await this.#engine.write(() =>
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

  /** Step by step; visitors find the document as it was until its last passage is there. @returns what was replaced. */
  async #saveLarge(
    bot: BotKey,
    document: DocumentToStore,
    onStored: (passages: number) => void,
  ): Promise<DocumentKey[]> {
    const stored = { now: this.#now(), isLive: false };
    const keys = await this.#engine.write(() => insertDocuments(bot, [document], stored));
    const key = keys.get(document.id)!;
    for (const step of stepsOf(document.passages, MOST_IN_STEP)) {
      const passages = step.map((passage) => ({ ...passage, document: key }));
      await this.#engine.write(() => insertPassages(passages));
      onStored(step.length);
      await Bun.sleep(PAUSE_MS);
    }
    return this.#engine.write(() => replaceWith(bot, [document.id], () => makeLive(key)));
  }

  /** Deletes what nobody finds any more. */
  async #delete(documents: readonly DocumentKey[]): Promise<void> {
    let left = documents;
    while (left.length > 0) {
      const step = left;
      left = await this.#engine.write(() => deleteStep(step));
      await Bun.sleep(PAUSE_MS);
    }
  }
}

/** Has visitors find others in the place of documents, or none. @returns what was replaced, for the caller to delete. */
function* replaceWith(bot: BotKey, ids: readonly string[], others?: () => Work<void>): Work<DocumentKey[]> {
  yield* lockGeneration();
  const replaced = yield* retireDocuments(bot, ids);
  if (others) yield* others();
  yield* announce(bot);
  return replaced;
}

/** Running servers look at the generation of all bots, and then at the bot's own. */
function* announce(bot: BotKey): Work<void> {
  yield* run(sql`
    INSERT INTO knowledge AS known (bot_key, generation) VALUES (${bot}, 1)
    ON CONFLICT (bot_key) DO UPDATE SET generation = known.generation + 1`);
  yield* bumpGeneration();
}

/** Deletes documents until a step is full; each counts like a passage. @returns those that are left. */
function* deleteStep(documents: readonly DocumentKey[]): Work<readonly DocumentKey[]> {
  let room = MOST_IN_STEP;
  for (const [place, key] of documents.entries()) {
    const deleted = room > 0 ? yield* deletePassages(key, room) : 0;
    if (deleted === room) return documents.slice(place);
    yield* deleteDocument(key);
    room -= deleted + 1;
  }
  return [];
}

/** Documents in groups of as many passages as a step writes at most; one that has more is a group by itself. */
function* documentBatches(documents: readonly DocumentToStore[]): Generator<DocumentToStore[]> {
  let batch: DocumentToStore[] = [];
  let passages = 0;
  for (const document of documents) {
    if (batch.length > 0 && passages + document.passages.length > MOST_IN_STEP) {
      yield batch;
      [batch, passages] = [[], 0];
    }
    batch.push(document);
    passages += document.passages.length;
  }
  if (batch.length > 0) yield batch;
}
