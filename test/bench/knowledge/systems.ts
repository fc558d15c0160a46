import { lookUp, mayChange, type Ranking, rankLookup, reconsider } from "../../../src/knowledge/answer.ts";
import { findBestSentence } from "../../../src/knowledge/best-sentence.ts";
import { readCandidate } from "../../../src/knowledge/candidate.ts";
import { confidenceOf, type Signals } from "../../../src/knowledge/confidence.ts";
import type { Question } from "../../../src/knowledge/question.ts";
import { sentencesOf, type Span } from "../../../src/knowledge/sentences.ts";
import type { Corpus } from "./corpus.ts";
import { encodedMeanings } from "./encoding.ts";

/** What a system makes of a question. */
export interface Finding {
  /** Ids of passages, best first. */
  ids: readonly number[];
  confidence: number;
  /** Sentences of the first passage, and the place of the best of them. */
  sentences: readonly string[];
  best: number;
}

/** A way to find passages and to know whether they answer. */
export interface System {
  name: string;
  find(corpus: Corpus, text: string): Promise<Finding>;
}

const NOTHING: Finding = { ids: [], confidence: 0, sentences: [], best: 0 };

/** What the engine measures of a question: for fitting, too. */
export function measureQuestion({ index, passages, language }: Corpus, text: string) {
  return rankLookup(index, lookUp(index, text), passages, language);
}

/** The engine of `src/knowledge`, by words alone. */
export const ours: System = {
  name: "ours",
  find: (corpus, text) => Promise.resolve(findingOf(measureQuestion(corpus, text))),
};

const meanings = encodedMeanings();

/** The same, with the meaning of English titles and sentences where words are unsure: what servers do. */
export const served: System = {
  name: "ours, with meaning",
  find: async (corpus, text) => {
    const ranking = measureQuestion(corpus, text);
    const isOpen = mayChange(ranking);
    return findingOf(isOpen ? await reconsider(ranking, corpus.index, text, meanings) : ranking);
  },
};

function findingOf({ question, ranked, confidence }: Ranking): Finding {
  const [first] = ranked;
  if (first === undefined) return NOTHING;
  const { body } = first.passage;
  const sentences = first.sentences.map(({ start, end }) => body.slice(start, end));
  const best = sentences.length > 0 ? findBestSentence(question, sentences) : 0;
  return { ids: ranked.map(({ hit }) => hit.id), confidence, sentences, best };
}

/** Passages that the recipe looks at. */
const MOST_FOUND = 12;
/** Characters of a Thai sentence, in the recipe. */
const LEAST_THAI = 80;

/** The recipe that the engine began with: the order of the search, the best sentence by likeness alone, and its logistic. */
export const recipe: System = {
  name: "recipe",
  find: (corpus, text) => Promise.resolve(findByRecipe(corpus, text)),
};

function findByRecipe(corpus: Corpus, text: string): Finding {
  const { question } = lookUp(corpus.index, text);
  const hits = corpus.index.search(question.terms, MOST_FOUND);
  const [first, second] = hits;
  if (first === undefined) return NOTHING;
  const passage = corpus.passages.get(first.id)!;
  const spans = corpus.language === "th" ? thaiSentences(passage.body) : undefined;
  const candidate = readCandidate(question, passage, first, corpus.language, spans);
  const covered = Math.max(candidate.bestSentenceScore, candidate.titleCoverage);
  return {
    ids: hits.map(({ id }) => id),
    confidence: recipeConfidence(question, {
      text: (first.score - first.titleScore) / question.mostScore,
      rival: (second?.score ?? 0) / question.mostScore,
      covered,
      strength: Math.min(1, first.score / (22 * Math.log(1 + (corpus.index.size + 0.5) / 0.5))),
      grams: 0,
      units: Math.log(1 + question.units.length),
      passages: Math.log(corpus.index.size),
    }),
    sentences: candidate.sentences.map(({ start, end }) => passage.body.slice(start, end)),
    best: candidate.bestSentence,
  };
}

/** The coefficients of the recipe. */
function recipeConfidence(question: Question, signals: Signals): number {
  return confidenceOf(question, signals, {
    text: 4.49,
    rival: -5.84,
    covered: 8,
    strength: 12.8,
    grams: 0,
    units: -0.7,
    passages: -0.176,
    constant: -2.8,
  });
}

function thaiSentences(text: string): Span[] {
  return sentencesOf(text, "th", LEAST_THAI);
}
