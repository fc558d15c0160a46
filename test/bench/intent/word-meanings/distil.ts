import { seededRandom, shuffle } from "../../../../src/intent/training/random.ts";
import { dot } from "./principal-axes.ts";

const EPOCHS = 12;
const LEARNING_RATE = 0.05;
const FIRST_ACCUMULATION = 1e-3;

/** A sentence as the numbers of its words, and where its meaning lies: a vector of length 1. */
export interface Lesson {
  words: readonly number[];
  target: Float64Array;
}

/**
 * Vectors of words whose sums, each times the word's weight, point where the sentences' targets do: stochastic gradient descent on the
 * cosine, with Adagrad. Their lengths say how much words count.
 * @param vectors to begin with; changed.
 */
export function distil(
  vectors: readonly Float64Array[],
  weights: readonly number[],
  lessons: readonly Lesson[],
): void {
  const squares = vectors.map((vector) => new Float64Array(vector.length).fill(FIRST_ACCUMULATION));
  const order = Int32Array.from(lessons.keys());
  const random = seededRandom(1);
  let seen = 0;
  for (let epoch = 0; epoch < EPOCHS; epoch++) {
    shuffle(order, random);
    let cosines = 0;
    for (const i of order) {
      const rate = LEARNING_RATE * (1 - seen++ / (EPOCHS * order.length));
      cosines += learn(lessons[i]!, vectors, squares, weights, rate);
    }
    console.error(`epoch ${epoch + 1} of ${EPOCHS}: mean cosine ${(cosines / order.length).toFixed(4)}`);
  }
}

/** Returns the cosine before. */
function learn(
  { words, target }: Lesson,
  vectors: readonly Float64Array[],
  squares: readonly Float64Array[],
  weights: readonly number[],
  rate: number,
): number {
  const sum = new Float64Array(target.length);
  for (const word of words) {
    const vector = vectors[word]!;
    for (let d = 0; d < sum.length; d++) sum[d]! += weights[word]! * vector[d]!;
  }
  const length = Math.hypot(...sum) || 1;
  const direction = sum.map((value) => value / length);
  const cosine = dot(direction, target);
  for (const word of words) {
    const [vector, accumulated] = [vectors[word]!, squares[word]!];
    for (let d = 0; d < sum.length; d++) {
      const gradient = (weights[word]! * (target[d]! - cosine * direction[d]!)) / length;
      accumulated[d]! += gradient * gradient;
      vector[d]! += (rate * gradient) / Math.sqrt(accumulated[d]!);
    }
  }
  return cosine;
}
