import { type Corpus, corpusOf, termsOf } from "./corpus.ts";
import type { DataSet, KnownQuestion } from "./data-sets.ts";

/** A question to a corpus that may lack its answer. */
export interface Trial {
  corpus: Corpus;
  text: string;
  /** The id of the passage that answers; undefined if none does. */
  passageId: number | undefined;
}

/** Number of rounds; each leaves out another quarter of the articles. */
const FOLDS = 4;

function foldOf({ article }: { article: number }): number {
  return article % FOLDS;
}

function trialOf(corpus: Corpus, question: KnownQuestion): Trial {
  const isThere = corpus.passages.has(question.passageId);
  return {
    corpus,
    text: question.text,
    passageId: isThere ? question.passageId : undefined,
  };
}

/** Each question twice: once to a corpus that lacks its article, once to one that lacks others. */
export function* articlesLeftOut({ passages, questions, language }: DataSet): Generator<Trial> {
  for (let fold = 0; fold < FOLDS; fold++) {
    const corpus = corpusOf(
      passages.filter((known) => foldOf(known) !== fold),
      language,
    );
    for (const question of questions) {
      const own = foldOf(question);
      if (own === fold || (own + 1) % FOLDS === fold) yield trialOf(corpus, question);
    }
  }
}

/** Each question twice: to all passages, and to all but the one that answers it. */
export function* passageLeftOut({ passages, questions, language }: DataSet): Generator<Trial> {
  const corpus = corpusOf(passages, language);
  for (const question of questions) {
    yield trialOf(corpus, question);
    const { passage } = passages[question.passageId]!;
    corpus.index.remove(question.passageId);
    yield { ...trialOf(corpus, question), passageId: undefined };
    corpus.index.add({ id: question.passageId, terms: termsOf(passage) });
  }
}
