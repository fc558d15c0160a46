import { shareOf } from "./evaluate.ts";
import { type KnowledgeSearch, type KnowledgeToSearch, searchKnowledge } from "./search-knowledge.ts";

/** A message with the address of the document that answers it; null: none does. */
export interface LabelledQuestion {
  text: string;
  source: string | null;
}

/** A question that was answered wrongly. */
export interface KnowledgeMiss {
  text: string;
  expected: string | null;
  /** Address of the best passage; null without one. */
  got: string | null;
  confidence: number;
  isAnswered: boolean;
}

/** How well documents answer. Shares are 0–1, null if there is nothing to measure. The names are public interface. */
export interface KnowledgeEvaluation {
  total: number;
  answerable: number;
  /** For answerable questions: how often the right document is first, and among the first five. */
  recallAt1: number | null;
  recallAt5: number | null;
  /** Share of answerable questions that are answered. */
  answered: number | null;
  /** Share of these answered from the right document. */
  answeredRight: number | null;
  /** Share of unanswerable questions that are answered. */
  falselyAnswered: number | null;
  misses: readonly KnowledgeMiss[];
}

type Looked = LabelledQuestion & KnowledgeSearch;

/** Searches the documents for all questions. @param report receives the share done, 0–1. */
export async function evaluateKnowledge(
  searched: KnowledgeToSearch,
  questions: readonly LabelledQuestion[],
  report: (share: number) => void,
): Promise<KnowledgeEvaluation> {
  const looked: Looked[] = [];
  for (const question of questions) {
    report(looked.length / questions.length);
    looked.push({ ...question, ...(await searchKnowledge(searched, question.text)) });
  }
  const answerable = looked.filter(({ source }) => source !== null);
  const answered = answerable.filter((one) => one.isAnswered);
  const unanswerable = looked.filter(({ source }) => source === null);
  return {
    total: looked.length,
    answerable: answerable.length,
    recallAt1: shareOf(answerable, (one) => isRight(one, 1)),
    recallAt5: shareOf(answerable, (one) => isRight(one, Infinity)),
    answered: shareOf(answerable, (one) => one.isAnswered),
    answeredRight: shareOf(answered, (one) => isRight(one, 1)),
    falselyAnswered: shareOf(unanswerable, (one) => one.isAnswered),
    misses: looked.filter(isMissed).map(missOf),
  };
}

/** Whether the right document is among the first `most`. A label without a fragment means the whole document. */
function isRight({ source, results }: Looked, most: number): boolean {
  if (source === null) return false;
  return results.slice(0, most).some(({ url }) => url === source || withoutFragment(url) === source);
}

function withoutFragment(url: string | null): string | undefined {
  return url?.replace(/#.*$/s, "");
}

function isMissed(looked: Looked): boolean {
  const { source, isAnswered } = looked;
  return source === null ? isAnswered : !isAnswered || !isRight(looked, 1);
}

function missOf({ text, source, confidence, isAnswered, results }: Looked): KnowledgeMiss {
  return { text, expected: source, got: results[0]?.url ?? null, confidence, isAnswered };
}
