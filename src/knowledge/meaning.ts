import type { Candidate } from "./candidate.ts";
import type { Ranked } from "./rank.ts";

/** What a short text means, as a vector of length 1; undefined where it has no meaning, or nobody can say. */
export type Encode = (text: string) => Promise<Float32Array | undefined>;

/** Who says what texts mean. */
export interface Meanings {
  /** Of a message, in whatever language it is. */
  ofMessage: Encode;
  /** Of a title or a sentence of a passage. */
  ofPassage: Encode;
}

/** Candidates in a new order. */
export interface Reconsidered {
  ranked: Ranked[];
  /** Of the first: see `nearnessOf`. */
  nearness: number;
}

/**
 * Candidates that are looked at: a sentence that was not encoded before takes some 15 ms. In small collections the right passage may have next
 * to no word of the question, and be sixth.
 */
const MOST_WEIGHED = 8;

/** What nearness counts beside the rank by words; chosen by what test/bench/knowledge/fit-meaning.ts prints. */
export const NEARNESS_WEIGHT = 2;

/**
 * Ranks the first candidates again, by what their headings and best sentences mean, for questions in other words than the passage has. The
 * others stay behind them. Undefined where nothing was found, or the question cannot be encoded.
 * @param ranked best first.
 */
export async function weighMeaning(
  message: string,
  ranked: readonly Ranked[],
  meanings: Meanings,
  weight = NEARNESS_WEIGHT,
): Promise<Reconsidered | undefined> {
  if (ranked.length === 0) return undefined;
  const asked = await meanings.ofMessage(message);
  if (asked === undefined) return undefined;
  const first: { candidate: Ranked; nearness: number }[] = [];
  for (const candidate of ranked.slice(0, MOST_WEIGHED)) {
    const nearness = await nearnessOf(candidate, asked, meanings);
    first.push({ candidate: { ...candidate, rank: candidate.rank + weight * nearness }, nearness });
  }
  first.sort((left, right) => right.candidate.rank - left.candidate.rank);
  return {
    ranked: [...first.map(({ candidate }) => candidate), ...ranked.slice(MOST_WEIGHED)],
    nearness: first[0]!.nearness,
  };
}

/** The greater of the cosines to a candidate's heading and to its best sentence; 0 where neither has a meaning. */
async function nearnessOf(
  candidate: Candidate,
  asked: Float32Array,
  { ofPassage }: Meanings,
): Promise<number> {
  const { headingPath, title } = candidate.passage;
  const heading = cosine(asked, await ofPassage(headingPath.at(-1) ?? title));
  return Math.max(heading, cosine(asked, await ofPassage(bestSentenceOf(candidate))));
}

function bestSentenceOf({ passage, sentences, bestSentence }: Candidate): string {
  const span = sentences[bestSentence];
  return span ? passage.body.slice(span.start, span.end) : passage.body;
}

/** Of vectors of length 1. */
function cosine(left: Float32Array, right: Float32Array | undefined): number {
  if (right === undefined) return 0;
  let sum = 0;
  for (let i = 0; i < left.length; i++) sum += left[i]! * right[i]!;
  return sum;
}
