import type { WordRanges } from "../../text/tokenise.ts";
import { hashWord } from "../../text/word-hash.ts";
import { HashIndex } from "./hash-index.ts";

/** Numbers of a word's vector. Chosen by hand: 64 numbers of 37,000 words are 2.4 of the file's 2.7 MB. */
export const MEANING_DIMENSIONS = 64;
/** Every stored vector has this length, so that its numbers fit into 8 bits. */
const STORED_LENGTH = 127;
/** Letters that a stem has at least; shorter ones begin words of all kinds. */
export const SHORTEST_STEM = 3;
/** Shares of an entry's English words in its meaning, the best word first. Chosen by hand: the glossaries list the best word first. */
const BLEND_SHARES = [1, 0.8, 0.6];
/**
 * An English word counts as a loan word in another language where its weight is at least this. Below are function words, which other
 * languages have too with another meaning ("on" is French for "one"). Chosen by hand.
 */
const LEAST_LOAN_WEIGHT = 0.3;
/**
 * What the meanings of a text weigh beside its other groups of features: in English, and in languages that go by way of it. Chosen by
 * cross-validation of training examples. A glossary weighs more, as the words themselves tell less in languages that inflect more.
 */
const GROUP_WEIGHT = { english: 0.8, glossary: 1.1 };
/**
 * Numbers of two vectors that are compared first. Half of them are enough to rule out eight of nine words, as the vectors' numbers are
 * in the order of how much words differ in them.
 */
const HEAD = 32;

/** Words that others are compared with. */
export interface WordSelection {
  /** Their numbers. */
  numbers: Int32Array;
  /** The lengths of their vectors without the head. */
  tails: Float32Array;
}

/** What is looked up where no word is listed as it is. */
interface Glossary {
  stems: HashIndex;
  /** In UTF-16 code units. */
  longestStem: number;
  loanWords: WordMeanings;
}

/** An entry of a glossary: what a word, or all words with a stem, mean in English. */
export interface GlossaryEntry {
  /** Of the word or stem, as `hashWord` makes it. */
  hash: number;
  /** Of the word or stem, in UTF-16 code units. */
  length: number;
  isStem: boolean;
  /** The numbers of its English words, the best first; at least one. */
  translations: readonly number[];
}

/**
 * What the words of a language mean: a vector for each, all of the same length. Words that are used alike lie together. A word is found
 * by its hash and has a number from then on.
 */
export class WordMeanings {
  /** How much the sum of a text's words weighs beside the other groups of features. */
  readonly groupWeight: number;
  readonly #index: HashIndex;
  readonly #weights: Float32Array;
  readonly #cells: Int8Array;
  readonly #glossary: Glossary | undefined;

  private constructor(
    groupWeight: number,
    index: HashIndex,
    weights: Float32Array,
    cells: Int8Array,
    glossary?: Glossary,
  ) {
    this.groupWeight = groupWeight;
    this.#index = index;
    this.#weights = weights;
    this.#cells = cells;
    this.#glossary = glossary;
  }

  /** @param bytes as `packWordMeanings` made them. */
  static unpack({ buffer, byteOffset }: Uint8Array<ArrayBuffer>): WordMeanings {
    const count = new Int32Array(buffer, byteOffset, 1)[0]!;
    const index = HashIndex.withRoomFor(count);
    new Int32Array(buffer, byteOffset + 4, count).forEach((hash, word) => index.set(hash, word));
    const weights = new Float32Array(buffer, byteOffset + 4 * (1 + count), count);
    const cells = new Int8Array(buffer, byteOffset + 4 * (1 + 2 * count), count * MEANING_DIMENSIONS);
    return new WordMeanings(GROUP_WEIGHT.english, index, weights, cells);
  }

  /** The words of another language by way of this one. This one's words keep their numbers; those that say something are loan words. */
  translated(entries: readonly GlossaryEntry[]): WordMeanings {
    const own = this.#weights.length;
    const index = HashIndex.withRoomFor(entries.length);
    const stems = HashIndex.withRoomFor(entries.length);
    const weights = new Float32Array(own + entries.length);
    const cells = new Int8Array((own + entries.length) * MEANING_DIMENSIONS);
    weights.set(this.#weights);
    cells.set(this.#cells);
    entries.forEach(({ hash, isStem, translations }, i) => {
      (isStem ? stems : index).set(hash, own + i);
      weights[own + i] = this.#weights[translations[0]!]!;
      this.#blend(translations, cells.subarray((own + i) * MEANING_DIMENSIONS));
    });
    const longestStem = entries.reduce(
      (most, { isStem, length }) => (isStem ? Math.max(most, length) : most),
      0,
    );
    const glossary = { stems, longestStem, loanWords: this };
    return new WordMeanings(GROUP_WEIGHT.glossary, index, weights, cells, glossary);
  }

  /** The number of a word that is listed as it is, given by `hashWord`; −1 where there is none. */
  find(hash: number): number {
    return this.#index.find(hash);
  }

  /**
   * The number of a word: of its own entry, or else of the longest stem that it begins with, or else of the English word that it may be.
   * −1 where it is not known.
   * @param token the word's place in `words`; its letters are looked at only where the hash is not found.
   */
  findForm(hash: number, words: WordRanges, token: number): number {
    const word = this.#index.find(hash);
    return word >= 0 || this.#glossary === undefined ? word : this.#findByStem(hash, words, token);
  }

  #findByStem(hash: number, { codeUnits, starts, ends }: WordRanges, token: number): number {
    const { stems, longestStem, loanWords } = this.#glossary!;
    const start = starts[token]!;
    for (let end = Math.min(ends[token]!, start + longestStem); end >= start + SHORTEST_STEM; end--) {
      const stem = stems.find(hashWord(codeUnits, start, end));
      if (stem >= 0) return stem;
    }
    const loanWord = loanWords.find(hash);
    return loanWord >= 0 && loanWords.weightOf(loanWord) >= LEAST_LOAN_WEIGHT ? loanWord : -1;
  }

  /** How much a word says, 0–1; next to nothing where it is frequent (Arora et al. 2017). */
  weightOf(word: number): number {
    return this.#weights[word]!;
  }

  /** Adds a word's vector, as long as the word's weight, to the numbers of `sum` from `at` on. */
  addTo(sum: Float64Array, word: number, at = 0): void {
    const factor = this.#weights[word]! / STORED_LENGTH;
    const from = word * MEANING_DIMENSIONS;
    for (let d = 0; d < MEANING_DIMENSIONS; d++) sum[at + d]! += factor * this.#cells[from + d]!;
  }

  /** Prepares words to be compared with. */
  select(words: readonly number[]): WordSelection {
    return { numbers: Int32Array.from(words), tails: Float32Array.from(words, (word) => this.#tailOf(word)) };
  }

  /** Greatest cosine of the angle between a word and any of these, 0–1. About 1 with itself, as the vectors are rounded. */
  greatestSimilarity(word: number, { numbers, tails }: WordSelection): number {
    const cells = this.#cells;
    const own = word * MEANING_DIMENSIONS;
    const ownTail = this.#tailOf(word);
    let greatest = 0;
    for (let i = 0; i < numbers.length; i++) {
      const other = numbers[i]! * MEANING_DIMENSIONS;
      let sum = 0;
      for (let d = 0; d < HEAD; d++) sum += cells[own + d]! * cells[other + d]!;
      // The rest adds no more than the product of the tails' lengths (Cauchy–Schwarz).
      if (sum + ownTail * tails[i]! <= greatest) continue;
      for (let d = HEAD; d < MEANING_DIMENSIONS; d++) sum += cells[own + d]! * cells[other + d]!;
      if (sum > greatest) greatest = sum;
    }
    return Math.min(1, greatest / STORED_LENGTH ** 2);
  }

  /** Writes the vector between these words' vectors to `target`. */
  #blend(words: readonly number[], target: Int8Array): void {
    const sum = new Float64Array(MEANING_DIMENSIONS);
    words.forEach((word, i) => {
      const from = word * MEANING_DIMENSIONS;
      for (let d = 0; d < MEANING_DIMENSIONS; d++) sum[d]! += BLEND_SHARES[i]! * this.#cells[from + d]!;
    });
    let squares = 0;
    for (let d = 0; d < MEANING_DIMENSIONS; d++) squares += sum[d]! ** 2;
    const factor = STORED_LENGTH / Math.sqrt(squares);
    for (let d = 0; d < MEANING_DIMENSIONS; d++) target[d] = Math.round(factor * sum[d]!);
  }

  #tailOf(word: number): number {
    const end = (word + 1) * MEANING_DIMENSIONS;
    let squares = 0;
    for (let i = end - MEANING_DIMENSIONS + HEAD; i < end; i++) squares += this.#cells[i]! ** 2;
    return Math.sqrt(squares);
  }
}

/** A word with its vector, which is of length 1. */
export interface WordMeaning {
  /** As `hashWord` makes it. */
  hash: number;
  /** See `WordMeanings.weightOf`. */
  weight: number;
  vector: ArrayLike<number>;
}

/** The bytes that `WordMeanings.unpack` reads: the count, all hashes, all weights, all vectors. */
export function packWordMeanings(words: readonly WordMeaning[]): Uint8Array {
  const cells = words.flatMap(({ vector }) =>
    Array.from(vector, (value) => Math.round(STORED_LENGTH * value)),
  );
  return Buffer.concat([
    Buffer.from(Int32Array.of(words.length, ...words.map(({ hash }) => hash)).buffer),
    Buffer.from(Float32Array.from(words, ({ weight }) => weight).buffer),
    Buffer.from(Int8Array.from(cells).buffer),
  ]);
}
