import { localWeights, meanOf, relativeScore } from "./bm25.ts";
import type { Candidate } from "./candidate.ts";
import type { Question } from "./question.ts";

/** What each view of a candidate counts beside the score of its text; printed by test/bench/knowledge/fit-ranking.ts. */
export const WEIGHTS = { title: 2, grams: 1, alike: 0.3, sentence: 0.3 };

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
export function rankCandidates(
  question: Question,
  candidates: readonly Candidate[],
  weights = WEIGHTS,
): Ranked[] {
  const gramWeights = localWeights(
    candidates.map(({ gramCounts }) => gramCounts),
    question.grams.size,
  );
  const unitWeights = Float64Array.from(question.units, ({ weight }) => weight);
  const gramLength = meanOf(candidates.map((candidate) => candidate.gramLength));
  const unitLength = meanOf(candidates.map((candidate) => candidate.unitLength));
  const ranked = candidates.map((candidate): Ranked => {
    const { hit, gramCounts, unitCounts, bestSentenceScore } = candidate;
    const textScore = (hit.score - hit.titleScore) / question.mostScore;
    const titleScore = hit.titleScore / question.mostScore;
    const gramScore = relativeScore(gramCounts, gramWeights, candidate.gramLength / gramLength);
    const alikeScore = relativeScore(unitCounts, unitWeights, candidate.unitLength / unitLength);
    const rank =
      textScore +
      weights.title * titleScore +
      weights.grams * gramScore +
      weights.alike * alikeScore +
      weights.sentence * bestSentenceScore;
    return { ...candidate, textScore, titleScore, gramScore, alikeScore, rank };
  });
  return ranked.toSorted((left, right) => right.rank - left.rank);
}
