import { type Passage, titleOf } from "./passage.ts";
import { QuestionReader } from "./question-reader.ts";
import type { Question } from "./question.ts";
import type { Hit } from "./search-index.ts";
import { sentencesOf, type Span } from "./sentences.ts";

/** What a word in the sentence before counts: its subject is often named there. */
const PREVIOUS = 0.3;
/** Code units of a passage that are read; splitters make them far shorter. */
const MOST_CHARACTERS = 12_000;

/** How much of a question a passage holds, in itself; see `rank.ts` for how it stands among others. */
export interface Candidate {
  passage: Passage;
  hit: Hit;
  sentences: readonly Span[];
  /** For each sentence, the share of the question's weight that it covers. */
  sentenceScores: readonly number[];
  bestSentence: number;
  /** Shares of the question's weight that the best sentence, the title, and all together cover; 0 to 1. */
  bestSentenceScore: number;
  titleCoverage: number;
  /** How well its title and headings hold each unit, 0 to 1. */
  titleUnitCoverage: Float64Array;
  coverage: number;
  /** For each unit, how much of it the passage and its title hold at best. */
  unitCoverage: Float64Array;
  /** How often each unit, or something like it, and each gram of the question occurs. */
  unitCounts: Float64Array;
  gramCounts: Float64Array;
  /** Units and grams of the passage and its title. */
  unitLength: number;
  gramLength: number;
}

/**
 * Reads a passage in the light of a question.
 * @param language of the passage, as a BCP 47 tag.
 * @param sentences of the passage's body, where they are known.
 */
export function readCandidate(
  question: Question,
  passage: Passage,
  hit: Hit,
  language: string,
  sentences = sentencesOfPassage(passage, language),
): Candidate {
  const reader = new QuestionReader(question);
  const inTitle = reader.read(titleOf(passage));
  const inSentences = sentences.map(({ start, end }) => reader.read(passage.body.slice(start, end)));
  const unitCoverage = inSentences.reduce(
    (most, found) => most.map((value, i) => Math.max(value, found[i]!)),
    inTitle,
  );
  const sentenceScores = inSentences.map((found, i) =>
    weigh(question, withPrevious(found, inSentences[i - 1])),
  );
  const bestSentenceScore = Math.max(0, ...sentenceScores);
  return {
    passage,
    hit,
    sentences,
    sentenceScores,
    bestSentence: Math.max(0, sentenceScores.indexOf(bestSentenceScore)),
    bestSentenceScore,
    titleCoverage: weigh(question, inTitle),
    titleUnitCoverage: inTitle,
    coverage: weigh(question, unitCoverage),
    unitCoverage,
    unitCounts: reader.unitCounts,
    gramCounts: reader.gramCounts,
    unitLength: reader.unitLength,
    gramLength: reader.gramLength,
  };
}

/** The sentences of a passage that are read. @param language as a BCP 47 tag. */
export function sentencesOfPassage({ body }: Pick<Passage, "body">, language: string): Span[] {
  return sentencesOf(body.slice(0, MOST_CHARACTERS), language);
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
