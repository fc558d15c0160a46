import { othersTurn } from "../domain/breather.ts";
import { type IndexedPassage, SearchIndex } from "../knowledge/search-index.ts";
import type { BotKey } from "../store/interface/bots.ts";
import type { Knowledge } from "../store/interface/knowledge.ts";

/** Of all bots of a process: three of 100,000 passages each. */
const MOST_BYTES = 256e6;
/** What a term of a passage takes in an index, with its share of the table of terms; some 85 MB for 100,000 passages of 170 terms. */
const BYTES_OF_TERM = 5;
const BYTES_OF_PASSAGE = 64;
/** Passages that are read or indexed before others have their turn; some 3 ms. */
const STEP = 200;

type KnowledgeReader = Pick<Knowledge, "listPassageIds" | "readTerms">;

interface Entry {
  /** Of the bot's documents, when the index was made or brought up to date. */
  generation: number;
  index: Promise<SearchIndex>;
  bytes: number;
}

/** The indexes of bots' passages: made at the first message that needs one, kept current, and forgotten once others need the room. */
export class KnowledgeIndexes {
  readonly #store: KnowledgeReader;
  readonly #mostBytes: number;
  /** The one that was used last at the end. */
  readonly #entries = new Map<BotKey, Entry>();

  constructor(store: KnowledgeReader, mostBytes = MOST_BYTES) {
    this.#store = store;
    this.#mostBytes = mostBytes;
  }

  /** Bytes of all indexes that are in memory, guessed. */
  get bytes(): number {
    return this.#entries.values().reduce((sum, { bytes }) => sum + bytes, 0);
  }

  /** The index of a bot as its documents are in that generation, or a later one. */
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

  /** Whoever waits for the index before gets that; it is changed only when it is there. */
  async #bringUpToDate(bot: BotKey, before: Entry | undefined): Promise<SearchIndex> {
    const index = await before?.index.catch(() => undefined);
    const ids = await this.#store.listPassageIds(bot);
    if (index === undefined) return this.#make(ids);
    const present = new Set(ids);
    const gone = [...index.ids()].filter((id) => !present.has(id));
    const known = new Set(index.ids());
    const fresh = ids.filter((id) => !known.has(id));
    // To add most of an index one by one takes longer than to make it anew.
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

  /** The one that is about to be used stays, however large it is. */
  #makeRoom(inUse: BotKey): void {
    for (const bot of this.#entries.keys()) {
      if (this.bytes <= this.#mostBytes) return;
      if (bot !== inUse) this.#entries.delete(bot);
    }
  }

  /** What could not be read is read again by the next message. */
  #forget(bot: BotKey, entry: Entry): void {
    if (this.#entries.get(bot) === entry) this.#entries.delete(bot);
  }
}
