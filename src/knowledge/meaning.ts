import { languageOf } from "../text/language-of.ts";
import type { Candidate } from "./candidate.ts";
import type { Passage } from "./passage.ts";
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

/** How near in meaning a candidate is to a question: cosines; 0 where it is not known. */
export interface Nearness {
  title: number;
  sentence: number;
}

/** Candidates in a new order. */
export interface Reconsidered {
  ranked: Ranked[];
  /** Of the first. */
  nearness: Nearness;
}

/**
 * Candidates that are looked at: a sentence that was not encoded before takes some 15 ms. In small collections the right passage may have next
 * to no word of the question, and be sixth.
 */
const MOST_WEIGHED = 8;

/** What a cosine counts beside the rank by words; printed by test/bench/knowledge/fit-meaning.ts. */
export const MEANING_WEIGHTS: Nearness = { title: 0.3, sentence: 0.3 };

/**
 * Ranks the first candidates again, by what their titles and best sentences mean, for questions in other words than the passage has. The
 * others stay behind them. Undefined where nothing was found, or the question cannot be encoded.
 * @param ranked best first.
 */
export async function weighMeaning(
  message: string,
  ranked: readonly Ranked[],
  meanings: Meanings,
  weights = MEANING_WEIGHTS,
): Promise<Reconsidered | undefined> {
  if (ranked.length === 0) return undefined;
  const asked = await meanings.ofMessage(message);
  if (asked === undefined) return undefined;
  const first: { candidate: Ranked; nearness: Nearness }[] = [];
  for (const candidate of ranked.slice(0, MOST_WEIGHED)) {
    const { headingPath, title } = candidate.passage;
    const nearness = {
      title: cosine(asked, await meanings.ofPassage(headingPath.at(-1) ?? title)),
      sentence: cosine(asked, await meanings.ofPassage(bestSentenceOf(candidate))),
    };
    const rank = candidate.rank + weights.title * nearness.title + weights.sentence * nearness.sentence;
    first.push({ candidate: { ...candidate, rank }, nearness });
  }
  first.sort((left, right) => right.candidate.rank - left.candidate.rank);
  return {
    ranked: [...first.map(({ candidate }) => candidate), ...ranked.slice(MOST_WEIGHED)],
    nearness: first[0]!.nearness,
  };
}

/** Whether the meaning of a passage is weighed: what it counts (`MEANING_WEIGHTS`, `BY_MEANING`) was fitted on English passages alone. */
export function hasKnownMeaning({ title, body }: Pick<Passage, "title" | "body">): boolean {
  return languageOf([title, body]) === "en";
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
