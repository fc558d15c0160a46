import type { Database, Statement } from "better-sqlite3";

import {
  setBit,
  unite,
  BLOCK_PLACES,
  blockOf,
  emptyBitmap,
  intersects,
  offsetOf,
  packBitmap,
  type Bitmap,
  subtract,
  unpackBitmap,
} from "./bitmaps.ts";

/** Larger than any character: all words with a prefix sort below the prefix followed by it. */
const LAST = "\u{10FFFF}";

interface WordRow {
  word: string;
  places: Uint8Array;
}

/**
 * Which turns hold a word, in blocks of places. FTS5 is not used: with `secure-delete`, removing a turn reads every earlier turn with the
 * same words (docs/decisions.md). Writes are part of the caller's transaction.
 */
export class WordIndex {
  readonly #find: Statement<[number, string], Uint8Array>;
  readonly #findPrefix: Statement<[number, string, string], Uint8Array>;
  readonly #save: Statement<[number, string, Uint8Array]>;

  constructor(db: Database) {
    this.#find = db
      .prepare<[number, string]>("SELECT places FROM turn_words WHERE block = ? AND word = ?")
      .pluck() as Statement<[number, string], Uint8Array>;
    this.#findPrefix = db
      .prepare<[number, string, string]>(
        "SELECT places FROM turn_words WHERE block = ? AND word >= ? AND word < ?",
      )
      .pluck() as Statement<[number, string, string], Uint8Array>;
    this.#save = db.prepare("INSERT OR REPLACE INTO turn_words (block, word, places) VALUES (?, ?, ?)");
  }

  /** Adds turns, each with its place and its words. Each word is read and written once for each block. */
  addAll(turns: readonly { place: number; words: Iterable<string> }[]): void {
    for (const [block, inBlock] of Map.groupBy(turns, ({ place }) => blockOf(place))) {
      const added = new Map<string, Bitmap>();
      for (const { place, words } of inBlock) {
        for (const word of words) setBit(added.getOrInsertComputed(word, emptyBitmap), offsetOf(place));
      }
      for (const [word, places] of added) {
        const stored = this.#find.get(block, word);
        if (stored) unite(places, unpackBitmap(stored));
        this.#save.run(block, word, packBitmap(places));
      }
    }
  }

  /** The places of a block that hold exactly this word. */
  find(block: number, word: string): Bitmap | undefined {
    const packed = this.#find.get(block, word);
    return packed && unpackBitmap(packed);
  }

  /** The places of a block that hold a word with this prefix. */
  findPrefix(block: number, prefix: string): Bitmap {
    const found = emptyBitmap();
    for (const packed of this.#findPrefix.all(block, prefix, prefix + LAST))
      unite(found, unpackBitmap(packed));
    return found;
  }
}

/** Removes the words of erased turns from the index, in the caller's transaction, so that none of their words stays on disk. */
export function eraseWords(db: Database): void {
  const places = db.prepare<[], number>("SELECT place FROM erased_places").pluck().all();
  if (places.length === 0) return;
  for (const [block, erased] of Map.groupBy(places, blockOf)) eraseFromBlock(db, block, erased);
  db.exec("DELETE FROM erased_places");
}

/** Reads all words of the block: the text of an erased turn is gone, so its words are unknown. */
function eraseFromBlock(db: Database, block: number, places: readonly number[]): void {
  const isUsed = db
    .prepare<[number, number], number>("SELECT 1 FROM counted_turns WHERE place BETWEEN ? AND ? LIMIT 1")
    .get(block * BLOCK_PLACES, (block + 1) * BLOCK_PLACES - 1);
  if (isUsed === undefined) {
    db.prepare("DELETE FROM turn_words WHERE block = ?").run(block);
    return;
  }
  const erased = emptyBitmap();
  for (const place of places) setBit(erased, offsetOf(place));
  const rows = db
    .prepare<[number], WordRow>("SELECT word, places FROM turn_words WHERE block = ?")
    .all(block);
  const save = db.prepare<[Uint8Array, number, string]>(
    "UPDATE turn_words SET places = ? WHERE block = ? AND word = ?",
  );
  const remove = db.prepare<[number, string]>("DELETE FROM turn_words WHERE block = ? AND word = ?");
  for (const { word, places: packed } of rows) {
    const kept = unpackBitmap(packed);
    if (!intersects(kept, erased)) continue;
    subtract(kept, erased);
    if (kept.some((byte) => byte !== 0)) save.run(packBitmap(kept), block, word);
    else remove.run(block, word);
  }
}
