import { othersTurn } from "../domain/waiting.ts";
import { type IndexedPassage, SearchIndex } from "../knowledge/search-index.ts";
import type { BotKey } from "../store/interface/bots.ts";
import type { Knowledge } from "../store/interface/store.ts";

/** Memory of all bots of a process: three of 100,000 passages each. */
const MAX_BYTES = 256e6;
/** Memory of a passage's term in an index, with its share of the table of terms; about 85 MB for 100,000 passages of 170 terms. */
const BYTES_OF_TERM = 5;
const BYTES_OF_PASSAGE = 64;
/** Passages read or indexed at a time, in about 3 ms. */
const STEP = 200;

type KnowledgeReader = Pick<Knowledge, "listPassageIds" | "readTerms">;

interface Entry {
  /** Generation of the bot's documents when the index was made or updated. */
  generation: number;
  index: Promise<SearchIndex>;
  bytes: number;
}

/** Indexes of bots' passages: made at the first use, kept current, and dropped when others need the memory. */
export class KnowledgeIndexes {
  readonly #store: KnowledgeReader;
  readonly #mostBytes: number;
  /** Least recently used first. */
  readonly #entries = new Map<BotKey, Entry>();

  constructor(store: KnowledgeReader, mostBytes = MAX_BYTES) {
    this.#store = store;
    this.#mostBytes = mostBytes;
  }

  /** Estimated memory of all indexes. */
  get bytes(): number {
    return this.#entries.values().reduce((sum, { bytes }) => sum + bytes, 0);
  }

  /** The index of a bot's documents at this generation or a later one. */
  find(bot: BotKey, generation: number): Promise<SearchIndex> {
    const known = this.#entries.get(bot);
    if (known?.generation === generation) {
      this.#entries.delete(bot);
      this.#entries.set(bot, known);
      return known.index;
    }
    const entry: Entry = { generation, index: this.#bringUpToDate(bot, known), bytes: known?.bytes ?? 0 };
    this.#entries.delete(bot);
    this.#entries.set(bot, entry);
    entry.index.then(
      (index) => this.#weigh(bot, entry, index),
      () => this.#forget(bot, entry),
    );
    return entry.index;
  }

  /** Changes the index only when it is complete; callers of the earlier generation get it before. */
  async #bringUpToDate(bot: BotKey, before: Entry | undefined): Promise<SearchIndex> {
    const index = await before?.index.catch(() => undefined);
    const ids = await this.#store.listPassageIds(bot);
    if (index === undefined) return this.#make(ids);
    const present = new Set(ids);
    const gone = [...index.ids()].filter((id) => !present.has(id));
    const known = new Set(index.ids());
    const fresh = ids.filter((id) => !known.has(id));
    // Beyond half of the passages, making a new index is faster than changing it.
    if (gone.length + fresh.length > ids.length / 2) return this.#make(ids);
    for (const id of gone) index.remove(id);
    for await (const passages of this.#read(fresh)) for (const passage of passages) index.add(passage);
    return index.isWorn ? this.#make(ids) : index;
  }

  async #make(ids: readonly number[]): Promise<SearchIndex> {
    const passages: IndexedPassage[] = [];
    for await (const some of this.#read(ids)) passages.push(...some);
    const steps = SearchIndex.buildInSteps(passages);
    for (let step = 1; ; step++) {
      const { done, value } = steps.next();
      if (done) return value;
      if (step % STEP === 0) await othersTurn();
    }
  }

  async *#read(ids: readonly number[]): AsyncGenerator<IndexedPassage[]> {
    for (let from = 0; from < ids.length; from += STEP) {
      yield await this.#store.readTerms(ids.slice(from, from + STEP));
      await othersTurn();
    }
  }

  #weigh(bot: BotKey, entry: Entry, index: SearchIndex): void {
    entry.bytes = BYTES_OF_PASSAGE * index.size + BYTES_OF_TERM * index.termCount;
    this.#makeRoom(bot);
  }

  /** Keeps the index in use, whatever its size. */
  #makeRoom(inUse: BotKey): void {
    for (const bot of this.#entries.keys()) {
      if (this.bytes <= this.#mostBytes) return;
      if (bot !== inUse) this.#entries.delete(bot);
    }
  }

  /** After a failure the next message reads it again. */
  #forget(bot: BotKey, entry: Entry): void {
    if (this.#entries.get(bot) === entry) this.#entries.delete(bot);
  }
}
