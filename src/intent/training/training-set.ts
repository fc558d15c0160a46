import { normaliseText } from "../../text/normalise.ts";
import { TokenBuffer } from "../../text/tokenise.ts";
import { FeatureBuffer, MEANING_GROUP } from "../features/features.ts";
import { HashIndex } from "../features/hash-index.ts";
import { type CountedFeatures, SparseVector } from "../features/vectorise.ts";
import { MEANING_DIMENSIONS, type WordMeanings } from "../words/word-meanings.ts";
import type { Arena, KernelMatrix } from "./kernels/kernels.ts";

/** How much rarity counts, for words, word pairs and character grams. */
const IDF_POWERS = [0.5, 0.5, 0.7];

/** Sparse vectors one after another: those of example i stand from `offsets[i]` to `offsets[i + 1]`. */
export interface SparseRows {
  offsets: Int32Array;
  rows: Int32Array;
  values: Float32Array;
}

/** Collects vectors one by one, each without the rows that are not wanted. */
export class GrowingRows {
  readonly #isWanted: (row: number) => boolean;
  readonly #offsets = [0];
  #rows = new Int32Array(65_536);
  #values = new Float32Array(65_536);

  constructor(isWanted: (row: number) => boolean) {
    this.#isWanted = isWanted;
  }

  add(rows: Int32Array, values: ArrayLike<number>, from: number, to: number): void {
    let at = this.#offsets.at(-1)!;
    if (at + to - from > this.#rows.length) this.#grow(2 * (at + to - from));
    for (let i = from; i < to; i++) {
      if (!this.#isWanted(rows[i]!)) continue;
      this.#rows[at] = rows[i]!;
      this.#values[at++] = values[i]!;
    }
    this.#offsets.push(at);
  }

  #grow(length: number): void {
    const [rows, values] = [this.#rows, this.#values];
    this.#rows = new Int32Array(length);
    this.#values = new Float32Array(length);
    this.#rows.set(rows);
    this.#values.set(values);
  }

  get all(): SparseRows {
    const length = this.#offsets.at(-1)!;
    return {
      offsets: Int32Array.from(this.#offsets),
      rows: this.#rows.subarray(0, length),
      values: this.#values.subarray(0, length),
    };
  }
}

/** Everything that training reads: examples as vectors, and the index of each one's intent. */
export interface TrainingSet {
  vectors: SparseRows;
  /** Of each feature. */
  groups: Uint8Array;
  /** Of each entry of `vectors`: the words that its feature is part of, a bit a word; see `FeatureBuffer.words`. */
  words: Int32Array;
  labels: Int32Array;
  classCount: number;
  featureCount: number;
}

/** What training results in: a row of weights per feature, and what is added for every text. */
export interface LinearModel {
  weights: KernelMatrix;
  bias: Float32Array;
}

/** A copy in the arena, where kernels can read it. */
export function moveRows({ offsets, rows, values }: SparseRows, arena: Arena): SparseRows {
  const moved = { offsets, rows: arena.ints(rows.length), values: arena.floats(values.length) };
  moved.rows.set(rows);
  moved.values.set(values);
  return moved;
}

/** The features known to a model. */
export interface Vocabulary {
  index: HashIndex;
  idf: Float32Array;
}

/** Numbers features in order of appearance, and counts the texts that hold each. */
class GrowingVocabulary {
  index = HashIndex.withRoomFor(4096);
  hashes: number[] = [];
  documentFrequency: number[] = [];

  find(hash: number): number {
    const known = this.index.find(hash);
    if (known >= 0) return known;
    const row = this.hashes.length;
    this.hashes.push(hash);
    this.documentFrequency.push(0);
    if (this.hashes.length * 2 > this.index.keys.length)
      this.index = indexOf(this.hashes, this.hashes.length * 2);
    this.index.set(hash, row);
    return row;
  }
}

function indexOf(hashes: ArrayLike<number>, room: number): HashIndex {
  const index = HashIndex.withRoomFor(room);
  for (let row = 0; row < hashes.length; row++) index.set(hashes[row]!, row);
  return index;
}

function countFeatures(
  texts: readonly string[],
  vocabulary: GrowingVocabulary,
  meanings: WordMeanings | undefined,
): CountedFeatures[] {
  const tokens = new TokenBuffer();
  const features = new FeatureBuffer();
  const vector = new SparseVector();
  return texts.map((text) => {
    tokens.read(normaliseText(text));
    features.read(tokens);
    features.markWords(tokens);
    vector.count(features, vocabulary, true);
    if (meanings) vector.addMeaning(features, meanings);
    const own = vector.counted();
    for (const row of own.rows) vocabulary.documentFrequency[row]! += 1;
    return own;
  });
}

/** How many features a model may have. */
export interface FeatureLimits {
  /** Features that only one text has are dropped first, at this number. */
  comfortable: number;
  most: number;
}

/** Rows in order of falling document frequency, so that frequent rows lie together; among equals by hash, which favours no intent. */
function keptRows(
  { documentFrequency, hashes }: GrowingVocabulary,
  { comfortable, most }: FeatureLimits,
): Int32Array {
  const order = Int32Array.from(documentFrequency.keys()).toSorted(
    (a, b) => documentFrequency[b]! - documentFrequency[a]! || hashes[a]! - hashes[b]!,
  );
  const repeated = documentFrequency.reduce((count, frequency) => (frequency > 1 ? count + 1 : count), 0);
  return order.subarray(0, Math.min(most, Math.max(comfortable, repeated)));
}

/** The group of each kept feature, and of what stands behind them. */
function groupsOf(
  counted: readonly CountedFeatures[],
  newRows: Int32Array,
  featureCount: number,
  meaningRows: number,
): Uint8Array {
  const groups = new Uint8Array(featureCount + meaningRows).fill(MEANING_GROUP, featureCount);
  for (const { rows, groupEnds } of counted) {
    for (let i = 0; i < rows.length; i++) {
      const row = newRows[rows[i]!]!;
      if (row >= 0) groups[row] = i < groupEnds[0]! ? 0 : i < groupEnds[1]! ? 1 : 2;
    }
  }
  return groups;
}

/** (ln((1 + N) / (1 + df)) + 1) to the power of the feature's group. */
function inverseFrequencies(
  frequencies: readonly number[],
  groups: Uint8Array,
  textCount: number,
): Float32Array {
  return Float32Array.from(frequencies, (df, row) => {
    const information = Math.log((1 + textCount) / (1 + df)) + 1;
    return information ** IDF_POWERS[groups[row]!]!;
  });
}

function weighTexts(
  counted: readonly CountedFeatures[],
  newRows: Int32Array,
  idf: Float32Array,
): Pick<TrainingSet, "vectors" | "words"> {
  const most = counted.reduce(
    (sum, { rows, meaning }) => sum + rows.length + (meaning ? MEANING_DIMENSIONS : 0),
    0,
  );
  const rows = new Int32Array(most);
  const values = new Float32Array(most);
  const words = new Int32Array(most);
  const offsets = new Int32Array(counted.length + 1);
  const vector = new SparseVector();
  counted.forEach((text, i) => {
    vector.take(text, newRows);
    vector.weigh(idf);
    const { length } = vector;
    const from = offsets[i]!;
    rows.set(vector.rows.subarray(0, length), from);
    values.set(vector.values.subarray(0, length), from);
    words.set(vector.words.subarray(0, length), from);
    offsets[i + 1] = from + length;
  });
  return { vectors: { offsets, rows, values }, words };
}

/**
 * Reads the texts twice: once to learn the vocabulary, once to weigh.
 * @param limits beyond them the rarest features are left out, which bounds the model.
 * @param meanings what words mean counts too, where they are given.
 */
export function readTexts(
  texts: readonly string[],
  limits: FeatureLimits,
  meanings?: WordMeanings,
): { vocabulary: Vocabulary } & Pick<TrainingSet, "vectors" | "groups" | "words"> {
  const growing = new GrowingVocabulary();
  const counted = countFeatures(texts, growing, meanings);
  const kept = keptRows(growing, limits);
  const newRows = new Int32Array(growing.hashes.length).fill(-1);
  kept.forEach((oldRow, row) => (newRows[oldRow] = row));
  const hashes = Int32Array.from(kept, (row) => growing.hashes[row]!);
  const documentFrequency = Array.from(kept, (row) => growing.documentFrequency[row]!);
  const groups = groupsOf(counted, newRows, kept.length, meanings ? MEANING_DIMENSIONS : 0);
  const vocabulary = {
    index: indexOf(hashes, hashes.length),
    idf: inverseFrequencies(documentFrequency, groups, texts.length),
  };
  return { vocabulary, groups, ...weighTexts(counted, newRows, vocabulary.idf) };
}
