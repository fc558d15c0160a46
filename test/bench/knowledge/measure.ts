import type { Corpus } from "./corpus.ts";
import { corpusOf } from "./corpus.ts";
import type { DataSet } from "./data-sets.ts";
import { aurocOf, meanOf, shareOf } from "./figures.ts";
import type { System } from "./systems.ts";
import type { Trial } from "./trials.ts";

/** Shares of questions whose right passage is first, or among the first five; and whose shown text contains the answer. */
export type Retrieval = Record<"first" | "amongFive" | "bestSentence" | "withNeighbours", number>;

/** Asks all questions of a set to all its passages. */
export async function measureRetrieval(
  system: System,
  set: DataSet,
  corpus: Corpus = corpusOf(set.passages, set.language),
): Promise<Retrieval> {
  const found: { rank: number; inBest: boolean; inThree: boolean }[] = [];
  for (const question of set.questions) {
    const { ids, sentences, best } = await system.find(corpus, question.text);
    const rank = ids.indexOf(question.passageId);
    const shown = (from: number, to: number) => sentences.slice(Math.max(0, from), to + 1).join(" ");
    const holds = (text: string) =>
      rank === 0 && question.answer !== undefined && text.includes(question.answer);
    found.push({ rank, inBest: holds(shown(best, best)), inThree: holds(shown(best - 1, best + 1)) });
  }
  return {
    first: shareOf(found, ({ rank }) => rank === 0),
    amongFive: shareOf(found, ({ rank }) => rank >= 0 && rank < 5),
    bestSentence: shareOf(found, ({ inBest }) => inBest),
    withNeighbours: shareOf(found, ({ inThree }) => inThree),
  };
}

/** How well a confidence separates answerable questions, and how many are answered. */
export type Telling = {
  auroc: number;
  answered: number;
  /** Of those, from the right passage. */
  right: number;
  /** Answered, of the questions that no passage answers. */
  falsely: number;
};

/** @param trials each is asked before the next one is made. */
export async function measureTelling(system: System, trials: Iterable<Trial>): Promise<Telling> {
  const answerable: { confidence: number; isAnswered: boolean; isRight: boolean }[] = [];
  const others: { confidence: number; isAnswered: boolean }[] = [];
  for (const { corpus, text, passageId } of trials) {
    const { ids, confidence, isAnswered } = await system.find(corpus, text);
    if (passageId === undefined) others.push({ confidence, isAnswered });
    else answerable.push({ confidence, isAnswered, isRight: ids[0] === passageId });
  }
  const answered = answerable.filter(({ isAnswered }) => isAnswered);
  return {
    auroc: aurocOf(
      answerable.map(({ confidence }) => confidence),
      others.map(({ confidence }) => confidence),
    ),
    answered: shareOf(answerable, ({ isAnswered }) => isAnswered),
    right: shareOf(answered, ({ isRight }) => isRight),
    falsely: shareOf(others, ({ isAnswered }) => isAnswered),
  };
}

/** Sets have equal weights, however many questions they have. */
export function meanFigures<Name extends string>(
  measured: readonly Record<Name, number>[],
): Record<Name, number> {
  const names = Object.keys(measured[0]!) as Name[];
  const means = names.map((name) => [name, meanOf(measured.map((figures) => figures[name]))]);
  return Object.fromEntries(means) as Record<Name, number>;
}
