import { rareness, scoreGrams } from "./bm25.ts";
import { QuestionReader } from "./question-reader.ts";
import type { Question } from "./question.ts";

/** What a word in the sentence before counts: the subject is often named there. */
const PREVIOUS = 0.3;
/** How much of a unit's weight goes by how few of these sentences hold it; the rest is the same for all. */
const LOCAL_SHARE = 0.75;
/** From this likeness on a sentence holds a unit. */
const HELD = 0.5;
/** What common grams count beside common words. This and the share above were chosen on the tune half; they add 0.9 points together. */
const GRAM_WEIGHT = 1;
interface ReadSentence {
  likest: Float64Array;
  gramCounts: Float64Array;
  gramLength: number;
}

/**
 * The place of the sentence that answers a question best, of those of one passage; the first of several alike. A word counts the more, the
 * fewer of the sentences hold it. @param sentences at least one.
 */
export function findBestSentence(question: Question, sentences: readonly string[]): number {
  const read = sentences.map((sentence): ReadSentence => {
    const reader = new QuestionReader(question);
    return { likest: reader.read(sentence), gramCounts: reader.gramCounts, gramLength: reader.gramLength };
  });
  const byUnits = scoreUnits(question, read);
  const byGrams = scoreGrams(question.grams.size, read);
  const scores = byUnits.map((score, i) => score + GRAM_WEIGHT * byGrams[i]!);
  return scores.indexOf(Math.max(...scores));
}

function scoreUnits({ units }: Question, read: readonly ReadSentence[]): number[] {
  const weights = units.map(({ weight }, i) => {
    const holders = read.filter(({ likest }) => likest[i]! > HELD).length;
    return weight * (1 - LOCAL_SHARE + LOCAL_SHARE * rareness(holders, read.length));
  });
  const total = sum(weights);
  return read.map(({ likest }, at) => {
    const previous = read[at - 1]?.likest;
    const held = weights.map(
      (weight, i) => weight * Math.max(likest[i]!, PREVIOUS * (previous ? previous[i]! : 0)),
    );
    return total > 0 ? sum(held) / total : 0;
  });
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
