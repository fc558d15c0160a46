import { type Passage, titleOf } from "./passage.ts";
import { QuestionReader } from "./question-reader.ts";
import type { Question } from "./question.ts";
import { sentencesOf, type Span } from "./sentences.ts";

/** Weight of a word in the preceding sentence, which often names the subject. */
const PREVIOUS = 0.3;
/** Code units of a passage that are read; splitters make passages far shorter. Chosen by hand. */
const MAX_CHARACTERS = 12_000;

/** How well a passage matches a question. */
export interface Candidate {
  passage: Passage;
  sentences: readonly Span[];
  /** Shares of the question's weight that the best sentence and the title cover; 0 to 1. */
  bestSentenceScore: number;
  titleCoverage: number;
  /** For each unit, the best similarity with a word of the passage or its title, 0 to 1. */
  unitCoverage: Float64Array;
  /** Number of occurrences of each gram of the question. */
  gramCounts: Float64Array;
  /** Number of grams of the passage and its title. */
  gramLength: number;
}

/** Compares a passage with a question. @param language of the passage, as a BCP 47 tag. */
export function readCandidate(question: Question, passage: Passage, language: string): Candidate {
  const reader = new QuestionReader(question);
  const sentences = sentencesOf(passage.body.slice(0, MAX_CHARACTERS), language);
  const inTitle = reader.read(titleOf(passage));
  const inSentences = sentences.map(({ start, end }) => reader.read(passage.body.slice(start, end)));
  const unitCoverage = inSentences.reduce(
    (most, found) => most.map((value, i) => Math.max(value, found[i]!)),
    inTitle,
  );
  const sentenceScores = inSentences.map((found, i) =>
    weigh(question, withPrevious(found, inSentences[i - 1])),
  );
  return {
    passage,
    sentences,
    bestSentenceScore: Math.max(0, ...sentenceScores),
    titleCoverage: weigh(question, inTitle),
    unitCoverage,
    gramCounts: reader.gramCounts,
    gramLength: reader.gramLength,
  };
}

function withPrevious(found: Float64Array, previous: Float64Array | undefined): Float64Array {
  return previous ? found.map((value, i) => Math.max(value, PREVIOUS * previous[i]!)) : found;
}

/** The share of the question's weight that is covered. */
function weigh({ units, totalWeight }: Question, covered: Float64Array): number {
  if (totalWeight === 0) return 0;
  let weight = 0;
  for (let i = 0; i < units.length; i++) weight += units[i]!.weight * covered[i]!;
  return weight / totalWeight;
}
