import { normaliseText } from "../../text/normalise.ts";
import type { SparseRows } from "../features/sparse-vector.ts";
import { readTexts } from "../training/read-texts.ts";

/** Similar texts. */
export interface TextCluster {
  /** Number of texts, including repetitions. */
  count: number;
  /** Indexes into the clustered texts, each spelling once, most typical first. */
  members: readonly number[];
}

/** Minimum cosine with a group's mean at which a text joins it; tried on the training texts of three public data sets. */
const JOINS_FROM = 0.2;
/** Exponent of the idf in the weights: features that many messages share say little about the subject. Tried on the same texts. */
const RARITY_POWER = 3;
/** A feature that occurs in more texts than this number and this share is ignored, which saves most of the time. Chosen by hand. */
const COMMON_FROM = 200;
const COMMON_SHARE = 0.05;
/** Characters read of a text; later ones say little about the subject. Chosen by hand. */
const CLUSTERED_LENGTH = 300;
const UNBOUNDED = { comfortable: Infinity, most: Infinity };

/**
 * Groups texts by shared features, largest group first; every text is in exactly one group. Greedy: texts are processed by frequency, and
 * each joins the group with the closest mean or starts a new one. Needs no language and no intents. Takes seconds for thousands of texts.
 */
export function clusterTexts(texts: readonly string[]): TextCluster[] {
  const spellings = [...Map.groupBy(texts.keys(), (i) => comparableText(texts[i]!)).values()];
  const distinct = spellings.toSorted((a, b) => b.length - a.length);
  const vectors = vectorise(distinct.map(([first]) => texts[first!]!.slice(0, CLUSTERED_LENGTH)));
  const groups = new GrowingGroups(vectors);
  for (let text = 0; text < distinct.length; text++) groups.add(text);
  return groups
    .list()
    .map((members) => ({
      count: members.reduce((sum, text) => sum + distinct[text]!.length, 0),
      members: members.map((text) => distinct[text]![0]!),
    }))
    .toSorted((a, b) => b.count - a.count);
}

/** A form that is equal for texts which differ only in case, punctuation and spaces. */
export function comparableText(text: string): string {
  const words = normaliseText(text)
    .replaceAll(/[^\p{L}\p{N}]+/gu, " ")
    .trim();
  return words === "" ? text.trim() : words;
}

/** The texts as vectors of the classifier's features, with an L2 norm of 1. */
function vectorise(texts: readonly string[]): SparseRows {
  const { vocabulary, vectors } = readTexts(texts, UNBOUNDED);
  const { offsets, rows, values } = vectors;
  for (let text = 0; text < texts.length; text++) {
    let squares = 0;
    for (let i = offsets[text]!; i < offsets[text + 1]!; i++) {
      values[i]! *= vocabulary.idf[rows[i]!]! ** RARITY_POWER;
      squares += values[i]! ** 2;
    }
    const length = Math.sqrt(squares) || 1;
    for (let i = offsets[text]!; i < offsets[text + 1]!; i++) values[i]! /= length;
  }
  return vectors;
}

/** Groups of vectors, found by shared features. */
class GrowingGroups {
  readonly #vectors: SparseRows;
  readonly #occurrences: Int32Array;
  readonly #mostOccurrences: number;
  readonly #members: number[][] = [];
  /** For each group, the squared length of the sum of its vectors. */
  readonly #squares: number[] = [];
  /** For each feature, the groups that have it, each with the feature's value in its sum. */
  readonly #sums = new Map<number, Map<number, number>>();

  constructor(vectors: SparseRows) {
    this.#vectors = vectors;
    this.#occurrences = countOccurrences(vectors.rows);
    this.#mostOccurrences = Math.max(COMMON_FROM, COMMON_SHARE * vectors.offsets.length);
  }

  add(text: number): void {
    const { group, product } = this.#closest(text);
    const members = (this.#members[group] ??= []);
    members.push(text);
    this.#squares[group] = (this.#squares[group] ?? 0) + 2 * product + 1;
    this.#forEachFeature(text, (feature, value) => {
      const sums = this.#sums.get(feature) ?? new Map<number, number>();
      this.#sums.set(feature, sums.set(group, (sums.get(group) ?? 0) + value));
    });
  }

  /** The texts of each group, closest to its mean first. */
  list(): number[][] {
    return this.#members.map((members, group) => {
      const closeness = new Map(members.map((text) => [text, this.#productWith(group, text)]));
      return members.toSorted((a, b) => closeness.get(b)! - closeness.get(a)!);
    });
  }

  /** The group to join, possibly a new one, with the dot product with its sum. */
  #closest(text: number): { group: number; product: number } {
    let closest = { group: this.#members.length, product: 0 };
    let best = JOINS_FROM;
    for (const [group, product] of this.#products(text)) {
      const cosine = product / Math.sqrt(this.#squares[group]!);
      if (cosine < best) continue;
      best = cosine;
      closest = { group, product };
    }
    return closest;
  }

  #productWith(group: number, text: number): number {
    let product = 0;
    this.#forEachFeature(text, (feature, value) => {
      product += value * (this.#sums.get(feature)?.get(group) ?? 0);
    });
    return product;
  }

  /** Dot products of a text with the sums of all groups that share a feature with it. */
  #products(text: number): Map<number, number> {
    const products = new Map<number, number>();
    this.#forEachFeature(text, (feature, value) => {
      for (const [group, sum] of this.#sums.get(feature) ?? []) {
        products.set(group, (products.get(group) ?? 0) + value * sum);
      }
    });
    return products;
  }

  /** Visits the features that some but not too many texts share. Others are ignored here but count in a vector's norm. */
  #forEachFeature(text: number, visit: (feature: number, value: number) => void): void {
    const { offsets, rows, values } = this.#vectors;
    for (let i = offsets[text]!; i < offsets[text + 1]!; i++) {
      const occurrences = this.#occurrences[rows[i]!]!;
      if (occurrences > 1 && occurrences <= this.#mostOccurrences) visit(rows[i]!, values[i]!);
    }
  }
}

function countOccurrences(rows: Int32Array): Int32Array {
  const most = rows.reduce((max, row) => Math.max(max, row), -1);
  const counts = new Int32Array(most + 1);
  for (const row of rows) counts[row]!++;
  return counts;
}
