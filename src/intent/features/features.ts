import { TokenBuffer } from "../../text/tokenise.ts";

/** The three kinds of features; each is normalised on its own. */
export const GROUP_COUNT = 3;
export const WORD_GROUP = 0;
export const PAIR_GROUP = 1;
export const GRAM_GROUP = 2;
/** What a text's words mean; no features that are counted, but entries of its vector behind them. See `word-meanings.ts`. */
export const MEANING_GROUP = 3;

const SHORTEST_GRAM = 2;
const LONGEST_GRAM = 5;
const WORD_SEED = 0x2f_0b_44_11;
const PAIR_SEED = 0x51_7c_c1_b7;
const GRAM_SEED = 0x13_19_8a_2e;
/** Stands for what is before the first word, and before the first letter of a word. */
export const START = 1;
export const END = 2;

function step(hash: number, unit: number): number {
  return Math.imul(hash ^ unit, 0x01_00_01_93);
}

function finish(hash: number): number {
  let h = hash ^ (hash >>> 16);
  h = Math.imul(h, 0x85_eb_ca_6b);
  h ^= h >>> 13;
  h = Math.imul(h, 0xc2_b2_ae_35);
  return h ^ (h >>> 16);
}

/** The feature that stands for a word itself. */
export function hashWord(units: Uint16Array, start: number, end: number): number {
  let hash = WORD_SEED;
  for (let i = start; i < end; i++) hash = step(hash, units[i]!);
  return finish(hash);
}

/** `hashWord` of a word that is normalised and a string. */
export function hashWordText(word: string): number {
  const units = Uint16Array.from({ length: word.length }, (_, i) => word.charCodeAt(i));
  return hashWord(units, 0, units.length);
}

/** The feature that stands for two neighbouring words, given as their own features. */
export function hashPair(left: number, right: number): number {
  return finish(step(Math.imul(PAIR_SEED ^ left, 0x9e_37_79_b1), right));
}

/** Features as 32-bit hashes, and where those of each group end. */
export interface Features {
  hashes: Int32Array;
  groupEnds: Int32Array;
}

/**
 * The features of one text as 32-bit hashes, repeated as often as they occur: words, pairs of neighbouring words (with marks for
 * start and end), and 2–5 characters in a row inside a padded word. Filled again for every text.
 */
export class FeatureBuffer implements Features {
  hashes = new Int32Array(1024);
  /** Where the features of each group end. */
  readonly groupEnds = new Int32Array(GROUP_COUNT);
  /** The words that each feature is part of, a bit a word; the last bit stands for all words from the 32nd on. See `markWords`. */
  words = new Int32Array(0);
  /** Those that were read last; the first features are their words. */
  tokens = new TokenBuffer();
  #count = 0;

  /** Replaces the content by the features of these tokens. */
  read(tokens: TokenBuffer): void {
    this.tokens = tokens;
    // A padded token of n units has fewer than 4(n + 2) grams.
    const most =
      2 * tokens.count + 1 + (LONGEST_GRAM - SHORTEST_GRAM + 1) * (tokens.length + 2 * tokens.count);
    if (most > this.hashes.length) this.hashes = new Int32Array(most * 2);
    this.#count = 0;
    for (let t = 0; t < tokens.count; t++) {
      this.hashes[this.#count++] = hashWord(tokens.units, tokens.starts[t]!, tokens.ends[t]!);
    }
    this.groupEnds[0] = this.#count;
    if (tokens.count > 0) this.#addPairs(tokens.count);
    this.groupEnds[1] = this.#count;
    for (let t = 0; t < tokens.count; t++) this.#addGrams(tokens.units, tokens.starts[t]!, tokens.ends[t]!);
    this.groupEnds[2] = this.#count;
  }

  /** Fills `words` for the tokens that were read last. Only training asks for it. */
  markWords(tokens: TokenBuffer): void {
    if (this.words.length < this.hashes.length) this.words = new Int32Array(this.hashes.length);
    const { count, starts, ends } = tokens;
    const bit = (t: number) => (t >= 0 && t < count ? 1 << Math.min(t, 31) : 0);
    let at = 0;
    for (let t = 0; t < count; t++) this.words[at++] = bit(t);
    for (let t = 0; count > 0 && t <= count; t++) this.words[at++] = bit(t - 1) | bit(t);
    for (let t = 0; t < count; t++) {
      const end = at + FeatureBuffer.gramCount(ends[t]! - starts[t]!);
      this.words.fill(bit(t), at, end);
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

  /** How many grams a token of that many units has. */
  static gramCount(length: number): number {
    if (length < 2) return 0;
    let count = 0;
    for (let from = -1; from < length; from++) count += Math.min(LONGEST_GRAM - 1, length - from);
    return count;
  }

  #addGrams(units: Uint16Array, start: number, end: number): void {
    if (end - start < 2) return;
    const hashes = this.hashes;
    let count = this.#count;
    for (let from = start - 1; from < end; from++) {
      let hash = step(GRAM_SEED, from < start ? START : units[from]!);
      const last = Math.min(from + LONGEST_GRAM - 1, end);
      for (let i = from + 1; i <= last; i++) {
        hash = step(hash, i === end ? END : units[i]!);
        hashes[count++] = finish(hash);
      }
    }
    this.#count = count;
  }
}
