import type { Candidate } from "./candidate.ts";
import { rareness } from "./field.ts";
import type { Question } from "./question.ts";

/** As in `field.ts`. */
const K1 = 1.2;
const B = 0.75;
const SATURATED = K1 + 1;

/** What each view of a candidate counts beside the score of its text; printed by test/bench/knowledge/fit-ranking.ts. */
const WEIGHTS = { title: 2, grams: 2, alike: 0.4, sentence: 0.35 };

/** A candidate with what ranks it. */
export interface Ranked extends Candidate {
  /** Each relative to the most that a passage could have; between 0 and about 1. */
  textScore: number;
  titleScore: number;
  /** By the grams of the question, each weighed by how few of the candidates hold it: what tells these passages apart. */
  gramScore: number;
  /** By the units of the question, words that are like them included. */
  alikeScore: number;
  rank: number;
}

/** Ranks the passages that a search found, best first. Pure; of several alike, the order of the search stays. */
export function rankCandidates(question: Question, candidates: readonly Candidate[]): Ranked[] {
  const gramWeights = weighGrams(question, candidates);
  const gramTotal = total(gramWeights);
  const gramLength = mean(candidates.map(({ gramLength: length }) => length));
  const unitWeights = Float64Array.from(question.units, ({ weight }) => weight);
  const unitLength = mean(candidates.map(({ unitLength: length }) => length));
  const ranked = candidates.map((candidate) => {
    const { hit } = candidate;
    const scores = {
      textScore: ratio(hit.score - hit.titleScore, question.mostScore),
      titleScore: ratio(hit.titleScore, question.mostScore),
      gramScore: saturated(candidate.gramCounts, gramWeights, candidate.gramLength / gramLength, gramTotal),
      alikeScore: saturated(
        candidate.unitCounts,
        unitWeights,
        candidate.unitLength / unitLength,
        question.totalWeight,
      ),
    };
    const rank =
      scores.textScore +
      WEIGHTS.title * scores.titleScore +
      WEIGHTS.grams * scores.gramScore +
      WEIGHTS.alike * scores.alikeScore +
      WEIGHTS.sentence * candidate.bestSentenceScore;
    return { ...candidate, ...scores, rank };
  });
  return ranked.sort((left, right) => right.rank - left.rank);
}

function weighGrams(question: Question, candidates: readonly Candidate[]): Float64Array {
  const weights = new Float64Array(question.grams.size);
  for (let gram = 0; gram < weights.length; gram++) {
    const holders = candidates.filter(({ gramCounts }) => gramCounts[gram]! > 0).length;
    weights[gram] = rareness(holders, candidates.length);
  }
  return weights;
}

/** BM25 of counts, relative to the most that there could be. @param relativeLength the text's, of the mean. */
function saturated(
  counts: Float64Array,
  weights: Float64Array,
  relativeLength: number,
  most: number,
): number {
  const norm = K1 * (1 - B + B * relativeLength);
  let score = 0;
  for (let i = 0; i < counts.length; i++) {
    if (counts[i]! > 0) score += (weights[i]! * counts[i]!) / (counts[i]! + norm);
  }
  return ratio(score, most);
}

function ratio(part: number, whole: number): number {
  return whole > 0 ? part / whole : 0;
}

function total(values: Float64Array): number {
  return values.reduce((sum, value) => sum + value, 0);
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / Math.max(1, values.length);
}
