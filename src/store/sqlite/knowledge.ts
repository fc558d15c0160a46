import { AsyncLocalStorage } from "node:async_hooks";

import type { Database } from "better-sqlite3";

import type { Now } from "../../domain/time.ts";
import type { Passage } from "../../knowledge/passage.ts";
import type { IndexedPassage } from "../../knowledge/search-index.ts";
import { announceDocuments, type Documents } from "../aggregates/knowledge.ts";
import type { BotKey } from "../interface/bots.ts";
import type { DocumentToStore } from "../interface/knowledge.ts";
import { documentBatches, MOST_IN_STEP } from "../knowledge/document-batches.ts";
import type { DocumentKey } from "../knowledge/document-rows.ts";
import { SqliteDocuments } from "./knowledge/documents.ts";
import { SqlitePassages } from "./knowledge/passages.ts";
import type { WriteQueue } from "./sqlite-engine.ts";
import { runNow } from "./sqlite-engine.ts";

/** What others that wait for the lock have between two steps: a server asks for it every 4 ms. */
const PAUSE_MS = 5;

/** A document that is not whole after this time was left by a command that ended. */
const ABANDONED_MS = 60 * 60_000;

interface SqliteKnowledgeParts {
  db: Database;
  now: Now;
  /** Reads, and turns the failures of storage into what callers learn of them. */
  read: <Result>(read: () => Result) => Result;
  /** Where a server writes. */
  queue?: WriteQueue;
}

/** Writes documents step by step, so that messages are stored in between; each is there whole or not at all. */
export class SqliteKnowledge implements Documents {
  readonly #parts: SqliteKnowledgeParts;
  readonly #documents: SqliteDocuments;
  readonly #passages: SqlitePassages;

  constructor(parts: SqliteKnowledgeParts) {
    this.#parts = parts;
    this.#documents = new SqliteDocuments(parts.db);
    this.#passages = new SqlitePassages(parts.db);
  }

  async saveDocuments(
    bot: BotKey,
    documents: readonly DocumentToStore[],
    onStored: (passages: number) => void = () => {},
  ): Promise<void> {
    // What another command is writing at this moment is not found either, and younger.
    await this.#delete(this.#documents.abandoned(bot, this.#parts.now() - ABANDONED_MS));
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
    for (let from = 0; from < ids.length; from += MOST_IN_STEP) {
      const step = ids.slice(from, from + MOST_IN_STEP);
      const keys = await this.#transact(() => {
        this.#announce(bot);
        return step.flatMap((id) => this.#documents.retire(bot, id));
      });
      retired.push(...keys);
      await Bun.sleep(PAUSE_MS);
    }
    await this.#delete(retired);
  }

  async listPassageIds(bot: BotKey): Promise<number[]> {
    return this.#parts.read(() => this.#passages.listIds(bot));
  }

  async readTerms(ids: readonly number[]): Promise<IndexedPassage[]> {
    return this.#parts.read(() => this.#passages.readTerms(ids));
  }

  async findPassages(ids: readonly number[]): Promise<Map<number, Passage>> {
    return this.#parts.read(() => this.#passages.find(ids));
  }

  /** @returns what was replaced. */
  async #saveTogether(
    bot: BotKey,
    documents: readonly DocumentToStore[],
    onStored: (passages: number) => void,
  ): Promise<DocumentKey[]> {
    const replaced = await this.#transact(() => {
      const keys = documents.flatMap((document) => {
        const key = this.#documents.insert(bot, document, this.#parts.now());
        this.#passages.insert(key, document.passages);
        return this.#documents.putInPlace(bot, document.id, key);
      });
      this.#announce(bot);
      return keys;
    });
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
    const key = await this.#transact(() => this.#documents.insert(bot, document, this.#parts.now()));
    for (let from = 0; from < document.passages.length; from += MOST_IN_STEP) {
      const step = document.passages.slice(from, from + MOST_IN_STEP);
      await this.#transact(() => this.#passages.insert(key, step));
      onStored(step.length);
      await Bun.sleep(PAUSE_MS);
    }
    return this.#transact(() => {
      const replaced = this.#documents.putInPlace(bot, document.id, key);
      this.#announce(bot);
      return replaced;
    });
  }

  /** Deletes what nobody finds any more. */
  async #delete(documents: readonly DocumentKey[]): Promise<void> {
    let left = documents;
    while (left.length > 0) {
      const step = left;
      left = await this.#transact(() => this.#deleteStep(step));
      await Bun.sleep(PAUSE_MS);
    }
  }

  /** Deletes documents until a step is full; each counts like a passage. @returns those that are left. */
  #deleteStep(documents: readonly DocumentKey[]): readonly DocumentKey[] {
    let room = MOST_IN_STEP;
    for (const [place, key] of documents.entries()) {
      const deleted = room > 0 ? this.#passages.deleteSome(key, room) : 0;
      if (deleted === room) return documents.slice(place);
      this.#documents.delete(key);
      room -= deleted + 1;
    }
    return [];
  }

  #announce(bot: BotKey): void {
    runNow(this.#parts.db, announceDocuments(bot));
  }

  async #transact<Result>(work: () => Result): Promise<Result> {
    const { db, queue } = this.#parts;
    const transact = () => db.transaction(work).immediate();
    return queue === undefined ? transact() : queue.run(AsyncLocalStorage.bind(transact));
  }
}
