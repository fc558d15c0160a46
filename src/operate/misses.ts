import { KNOWLEDGE_INTENT } from "../domain/ids.ts";
import type { DecidedUtterance, DecisionName } from "./decide-utterances.ts";

/**
 * Result of an utterance. `right`: the expected result. `asked`: it should have been answered and got a clarifying question with the right
 * intent. `documents`: it should have been answered by an intent and was answered from documents.
 */
export type UtteranceOutcome = "right" | "asked" | "documents" | "missed";

/** An utterance with an unexpected result. */
export interface Miss {
  text: string;
  /** null: out of scope. */
  expected: string | null;
  /** The deciding intent; if nothing matched, the closest one; null: none. */
  got: string | null;
  /** Probability (0–1) that `got` is asked for. */
  chance: number;
  expectedDecision: DecisionName;
  gotDecision: DecisionName;
  /** The intents of a clarifying question. */
  suggestions: readonly string[];
}

export function outcomeOf(decided: DecidedUtterance): UtteranceOutcome {
  const { expected, expectedDecision, gotDecision, decidedIntent, suggestions } = decided;
  const isAnswer = expectedDecision === "allowed" && expected !== null;
  if (gotDecision === expectedDecision && (!isAnswer || decidedIntent === expected)) return "right";
  if (isAnswer && gotDecision === "allowed" && decidedIntent === KNOWLEDGE_INTENT) return "documents";
  return isAnswer && gotDecision === "no_intent_match" && suggestions.includes(expected) ? "asked" : "missed";
}

/** Number of utterances for each result. */
export function countOutcomes(decided: readonly DecidedUtterance[]): Record<UtteranceOutcome, number> {
  const counts = { right: 0, asked: 0, documents: 0, missed: 0 };
  for (const utterance of decided) counts[outcomeOf(utterance)]++;
  return counts;
}

/** Misses: first those answered wrongly, then the others; each part by falling probability. */
export function listMisses(decided: readonly DecidedUtterance[]): Miss[] {
  const rank = ({ gotDecision }: Miss) => (gotDecision === "allowed" ? 0 : 1);
  return decided
    .filter((utterance) => outcomeOf(utterance) === "missed")
    .map(({ text, expected, got, decidedIntent, chance, expectedDecision, gotDecision, suggestions }) => ({
      text,
      expected,
      got: decidedIntent ?? got,
      chance,
      expectedDecision,
      gotDecision,
      suggestions,
    }))
    .toSorted((a, b) => rank(a) - rank(b) || b.chance - a.chance);
}
