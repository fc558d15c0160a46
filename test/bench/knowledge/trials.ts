import { type Corpus, corpusOf, termsOf } from "./corpus.ts";
import type { DataSet, KnownQuestion } from "./data-sets.ts";

/** A question to a corpus that may or may not hold its answer. */
export interface Trial {
  corpus: Corpus;
  text: string;
  /** The id of the passage that answers; undefined where none does. */
  passageId: number | undefined;
  /** 0 or 1: what is chosen on one half is reported on the other. */
  half: number;
}

/** Articles are left out in turn, a quarter each time. */
const FOLDS = 4;

function foldOf({ article }: { article: number }): number {
  return article % FOLDS;
}

function halfOf({ article }: { article: number }): number {
  return article % 2;
}

function trialOf(corpus: Corpus, question: KnownQuestion): Trial {
  const isThere = corpus.passages.has(question.passageId);
  return {
    corpus,
    text: question.text,
    passageId: isThere ? question.passageId : undefined,
    half: halfOf(question),
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

/** Each third question twice, to corpora of a quarter of the articles. */
export function* fewArticles({ passages, questions, language }: DataSet): Generator<Trial> {
  for (let fold = 0; fold < FOLDS; fold++) {
    const corpus = corpusOf(
      passages.filter((known) => foldOf(known) === fold),
      language,
    );
    for (const [place, question] of questions.entries()) {
      const own = foldOf(question);
      if (place % 3 === 0 && (own === fold || (own + 1) % FOLDS === fold)) yield trialOf(corpus, question);
    }
  }
}

/**
 * Questions to what a small shop has: a few articles of a set, and no more. Each question of theirs, and each of as many other articles.
 * @param articles how many a corpus has.
 * @param every of how many questions one is asked.
 */
export function* tinyCorpora(
  { passages, questions, language }: DataSet,
  articles: number,
  every: number,
): Generator<Trial> {
  const all = [...new Set(passages.map(({ article }) => article))];
  for (let from = 0; from < all.length; from += articles) {
    const own = new Set(all.slice(from, from + articles));
    const next = (from + articles) % all.length;
    const others = new Set(all.slice(next, next + articles));
    const corpus = corpusOf(
      passages.filter(({ article }) => own.has(article)),
      language,
    );
    for (const [place, question] of questions.entries()) {
      if (place % every === 0 && (own.has(question.article) || others.has(question.article)))
        yield { ...trialOf(corpus, question), half: (from / articles) % 2 };
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

/** The questions of one set to the passages of all, a quarter of the articles left out each time. */
export function* amongOthers(set: DataSet, others: readonly DataSet[]): Generator<Trial> {
  const foreign = others.flatMap(({ passages }, place) =>
    passages.map((known) => ({ ...known, id: known.id + 10_000 * (place + 1) })),
  );
  for (let fold = 0; fold < FOLDS; fold++) {
    const passages = [...set.passages, ...foreign].filter((known) => foldOf(known) !== fold);
    const corpus = corpusOf(passages, set.language);
    for (const question of set.questions) {
      const own = foldOf(question);
      if (own === fold || (own + 1) % FOLDS === fold) yield trialOf(corpus, question);
    }
  }
}

/** Messages that no passage answers. */
export function* messagesTo({ passages, language }: DataSet, messages: readonly string[]): Generator<Trial> {
  const corpus = corpusOf(passages, language);
  for (const [place, text] of messages.entries())
    yield { corpus, text, passageId: undefined, half: place % 2 };
}
