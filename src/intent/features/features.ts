import { TokenBuffer } from "../../text/tokenise.ts";
import { END, finishHash, hashPair, hashWord, mixIn, START } from "../../text/word-hash.ts";

/**
 * Feature groups by number. Each group is normalised on its own, so that many n-grams do not outweigh few words. Arrays with a value per
 * group are in this order.
 */
export const WORD_GROUP = 0;
export const PAIR_GROUP = 1;
export const GRAM_GROUP = 2;
export const GROUP_COUNT = 3;

/** Length of n-grams in characters. Single characters, longer n-grams and n-grams across words gave no improvement on validation data. */
const MIN_GRAM_LENGTH = 2;
const MAX_GRAM_LENGTH = 5;
const GRAM_SEED = 0x13_19_8a_2e;
/** The last bit of a word mask stands for all words from this one on. */
const LAST_WORD_BIT = 31;

/**
 * The features of one text as 32-bit hashes with repetitions: words, pairs of adjacent words (with start and end marks), and character
 * n-grams of length 2 to 5 inside padded words. Refilled for every text.
 */
export class FeatureBuffer {
  hashes = new Int32Array(1024);
  /** End of each group's features. */
  readonly groupEnds = new Int32Array(GROUP_COUNT);
  /** For each feature, a bit mask of its words: one bit for each of the first 31 words, the last bit for all others. See `markWords`. */
  wordBits = new Int32Array(0);
  /** The tokens read. The features of the first group correspond to them, in the same order. */
  tokens = new TokenBuffer();
  #count = 0;

  /** Replaces the content by the features of these tokens. */
  read(tokens: TokenBuffer): void {
    this.tokens = tokens;
    // A padded token of n code units has fewer than 4(n + 2) n-grams.
    const most =
      2 * tokens.count + 1 + (MAX_GRAM_LENGTH - MIN_GRAM_LENGTH + 1) * (tokens.length + 2 * tokens.count);
    if (most > this.hashes.length) this.hashes = new Int32Array(most * 2);
    this.#count = 0;
    for (let t = 0; t < tokens.count; t++) {
      this.hashes[this.#count++] = hashWord(tokens.codeUnits, tokens.starts[t]!, tokens.ends[t]!);
    }
    this.groupEnds[WORD_GROUP] = this.#count;
    if (tokens.count > 0) this.#addPairs(tokens.count);
    this.groupEnds[PAIR_GROUP] = this.#count;
    for (let t = 0; t < tokens.count; t++)
      this.#count = addGrams(tokens.codeUnits, tokens.starts[t]!, tokens.ends[t]!, this.hashes, this.#count);
    this.groupEnds[GRAM_GROUP] = this.#count;
  }

  /** Fills `wordBits`, which only training needs, to drop words with all their features. */
  markWords(): void {
    if (this.wordBits.length < this.hashes.length) this.wordBits = new Int32Array(this.hashes.length);
    const { count, starts, ends } = this.tokens;
    const bit = (t: number) => (t >= 0 && t < count ? 1 << Math.min(t, LAST_WORD_BIT) : 0);
    let at = 0;
    for (let t = 0; t < count; t++) this.wordBits[at++] = bit(t);
    for (let t = 0; count > 0 && t <= count; t++) this.wordBits[at++] = bit(t - 1) | bit(t);
    for (let t = 0; t < count; t++) {
      const end = at + FeatureBuffer.gramCount(ends[t]! - starts[t]!);
      this.wordBits.fill(bit(t), at, end);
      at = end;
    }
  }

  #addPairs(wordCount: number): void {
    let left = START;
    for (let t = 0; t <= wordCount; t++) {
      const right = t < wordCount ? this.hashes[t]! : END;
      this.hashes[this.#count++] = hashPair(left, right);
      left = right;
    }
  }

  /** Number of n-grams of a token with this many code units. */
  static gramCount(length: number): number {
    if (length < 2) return 0;
    let count = 0;
    for (let from = -1; from < length; from++) count += Math.min(MAX_GRAM_LENGTH - 1, length - from);
    return count;
  }
}

/** Writes the hashes of a token's n-grams to `hashes` from `at` on. @returns the position after them. */
export function addGrams(
  codeUnits: Uint16Array,
  start: number,
  end: number,
  hashes: Int32Array,
  at: number,
): number {
  if (end - start < 2) return at;
  let count = at;
  for (let from = start - 1; from < end; from++) {
    let hash = mixIn(GRAM_SEED, from < start ? START : codeUnits[from]!);
    const last = Math.min(from + MAX_GRAM_LENGTH - 1, end);
    for (let i = from + 1; i <= last; i++) {
      hash = mixIn(hash, i === end ? END : codeUnits[i]!);
      hashes[count++] = finishHash(hash);
    }
  }
  return count;
}
