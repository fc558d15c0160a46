/**
 * Prints the weights of `src/knowledge/rank.ts`: chosen on each half of the articles, measured on the other, and chosen on all:
 * `bun test/bench/knowledge/fit-ranking.ts`.
 */
import type { WEIGHTS } from "../../../src/knowledge/rank.ts";
import { corpusOf } from "./corpus.ts";
import { type DataSet, dataFolder, loadDataSets } from "./data-sets.ts";
import { meanOf } from "./figures.ts";
import { measureQuestion } from "./systems.ts";

type Weights = typeof WEIGHTS;

const CHOICES = [0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.75, 1, 1.5, 2, 3];
const START: Weights = { title: 1, grams: 1, alike: 0.3, sentence: 0.3 };
const ROUNDS = 4;
/** A smaller gain, in points, is chance. */
const LEAST_GAIN = 0.02;

interface Asked {
  half: number;
  isFaq: boolean;
  /** What each candidate has of each view, and whether it is the right one. */
  candidates: readonly ({ text: number; isRight: boolean } & Weights)[];
}

function ask(set: DataSet, isFaq: boolean): Asked[] {
  const corpus = corpusOf(set.passages, set.language);
  return set.questions.map(({ text, passageId, article }) => ({
    half: article % 2,
    isFaq,
    candidates: measureQuestion(corpus, text).ranked.map((candidate) => ({
      text: candidate.textScore,
      title: candidate.titleScore,
      grams: candidate.gramScore,
      alike: candidate.alikeScore,
      sentence: candidate.bestSentenceScore,
      isRight: candidate.hit.id === passageId,
    })),
  }));
}

/** Mean of the share that is right and of the reciprocal rank, in points; questions to articles and to the FAQ count half each. */
function pointsOf(asked: readonly Asked[], weights: Weights): number {
  const of = (isFaq: boolean) =>
    meanOf(asked.filter((one) => one.isFaq === isFaq).map((one) => worthOf(one, weights)));
  return 100 * meanOf([of(true), of(false)]);
}

function worthOf({ candidates }: Asked, weights: Weights): number {
  const names = Object.keys(weights) as (keyof Weights)[];
  const scores = candidates.map((candidate) =>
    names.reduce((sum, name) => sum + weights[name] * candidate[name], candidate.text),
  );
  const right = scores[candidates.findIndex(({ isRight }) => isRight)];
  if (right === undefined) return 0;
  const rank = scores.filter((score) => score > right).length + 1;
  return ((rank === 1 ? 1 : 0) + 1 / rank) / 2;
}

function choose(asked: readonly Asked[]): Weights {
  let best = { weights: START, points: pointsOf(asked, START) };
  for (let round = 0; round < ROUNDS; round++) {
    for (const name of Object.keys(START) as (keyof Weights)[]) {
      for (const choice of CHOICES) {
        const weights = { ...best.weights, [name]: choice };
        const points = pointsOf(asked, weights);
        if (points > best.points + LEAST_GAIN) best = { weights, points };
      }
    }
  }
  return best.weights;
}

const { xquad, faq } = loadDataSets(dataFolder());
const asked = [...xquad.flatMap((set) => ask(set, false)), ...ask(faq, true)];
for (const half of [0, 1]) {
  const weights = choose(asked.filter((one) => one.half === half));
  const other = asked.filter((one) => one.half !== half);
  const none = { title: 1, grams: 0, alike: 0, sentence: 0 };
  const points = [pointsOf(other, weights), pointsOf(other, none)].map((value) => value.toFixed(2));
  console.log(
    `chosen on half ${half}:`,
    JSON.stringify(weights),
    "points on the other, and without:",
    ...points,
  );
}
console.log("chosen on all:", JSON.stringify(choose(asked)));
