import { normaliseText } from "../../text/normalise.ts";
import { readTexts, type SparseRows } from "../training/training-set.ts";

/** Texts that say much the same. */
export interface TextCluster {
  /** How many texts, however often each occurred. */
  count: number;
  /** Indices into the texts that were clustered, each spelling once, most typical first. */
  members: readonly number[];
}

/** Cosine with a group's mean from which on a text joins it; tried on training texts of three public data sets. */
const JOINS_FROM = 0.2;
/** What most messages have in common says little; weights are multiplied by this power of the classifier's own. */
const RARITY_POWER = 3;
/** What so many texts have is left aside, which saves most of the time. */
const COMMON_FROM = 200;
const COMMON_SHARE = 0.05;
/** What comes later in a long text says little about what it is about, and costs time. */
const CLUSTERED_LENGTH = 300;
const UNBOUNDED = { comfortable: Infinity, most: Infinity };

/**
 * Groups texts by what they share, largest group first, every text in one: greedily, the most frequent first, each joins the group whose
 * mean is closest to it, or begins one. Knows no language and no intents; takes seconds for thousands of texts.
 */
export function clusterTexts(texts: readonly string[]): TextCluster[] {
  const spellings = [...Map.groupBy(texts.keys(), (i) => comparable(texts[i]!)).values()];
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

/** The same for texts that differ in case, marks and spacing alone. */
function comparable(text: string): string {
  const words = normaliseText(text)
    .replaceAll(/[^\p{L}\p{N}]+/gu, " ")
    .trim();
  return words === "" ? text.trim() : words;
}

/** Unit vectors of the classifier's features. */
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

/** Groups of vectors, found by the features that a vector shares with them. */
class GrowingGroups {
  readonly #vectors: SparseRows;
  readonly #occurrences: Int32Array;
  readonly #mostOccurrences: number;
  readonly #members: number[][] = [];
  /** Of each group, the squared length of the sum of its vectors. */
  readonly #squares: number[] = [];
  /** Of each feature, the groups that have it and its value in their sums. */
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

  /** The group to join, which may be a new one, and the product with its sum. */
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

  /** With the sum of every group that shares a feature. */
  #products(text: number): Map<number, number> {
    const products = new Map<number, number>();
    this.#forEachFeature(text, (feature, value) => {
      for (const [group, sum] of this.#sums.get(feature) ?? []) {
        products.set(group, (products.get(group) ?? 0) + value * sum);
      }
    });
    return products;
  }

  /** Features that no other text has, or very many, tell nothing here, but they do count in a vector's length. */
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
