import type { Corpus } from "./corpus.ts";
import { corpusOf } from "./corpus.ts";
import type { DataSet } from "./data-sets.ts";
import { aurocOf, meanOf, shareOf } from "./figures.ts";
import type { System } from "./systems.ts";
import type { Trial } from "./trials.ts";

/** How often the right passage is first, and among the first five; how often what is shown holds the answer. */
export type Retrieval = Record<"first" | "amongFive" | "bestSentence" | "withNeighbours", number>;

/** Asks all questions of a set to all its passages. */
export function measureRetrieval(
  system: System,
  set: DataSet,
  corpus: Corpus = corpusOf(set.passages, set.language),
  translate = (text: string) => text,
): Retrieval {
  const found = set.questions.map((question) => {
    const { ids, sentences, best } = system.find(corpus, translate(question.text));
    const rank = ids.indexOf(question.passageId);
    const shown = (from: number, to: number) => sentences.slice(Math.max(0, from), to + 1).join(" ");
    const holds = (text: string) =>
      rank === 0 && question.answer !== undefined && text.includes(question.answer);
    return { rank, inBest: holds(shown(best, best)), inThree: holds(shown(best - 1, best + 1)) };
  });
  return {
    first: shareOf(found, ({ rank }) => rank === 0),
    amongFive: shareOf(found, ({ rank }) => rank >= 0 && rank < 5),
    bestSentence: shareOf(found, ({ inBest }) => inBest),
    withNeighbours: shareOf(found, ({ inThree }) => inThree),
  };
}

/** How well a confidence tells what can be answered, and what is answered at the threshold. */
export type Telling = {
  auroc: number;
  answered: number;
  /** Of those, from the right passage. */
  right: number;
  /** Answered of what no passage answers. */
  falsely: number;
};

/** @param trials each is asked as it comes, before the next one is made. */
export function measureTelling(system: System, trials: Iterable<Trial>, threshold: number): Telling {
  const answerable: { confidence: number; isRight: boolean }[] = [];
  const others: { confidence: number }[] = [];
  for (const { corpus, text, passageId } of trials) {
    const { ids, confidence } = system.find(corpus, text);
    if (passageId === undefined) others.push({ confidence });
    else answerable.push({ confidence, isRight: ids[0] === passageId });
  }
  const isAnswered = ({ confidence }: { confidence: number }) => confidence >= threshold;
  return {
    auroc: aurocOf(
      answerable.map(({ confidence }) => confidence),
      others.map(({ confidence }) => confidence),
    ),
    answered: shareOf(answerable, isAnswered),
    right: shareOf(answerable.filter(isAnswered), ({ isRight }) => isRight),
    falsely: shareOf(others, isAnswered),
  };
}

/** Sets count alike, however many questions they have. */
export function meanFigures<Name extends string>(
  measured: readonly Record<Name, number>[],
): Record<Name, number> {
  const names = Object.keys(measured[0]!) as Name[];
  const means = names.map((name) => [name, meanOf(measured.map((figures) => figures[name]))]);
  return Object.fromEntries(means) as Record<Name, number>;
}
