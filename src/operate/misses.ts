import { KNOWLEDGE_INTENT } from "../domain/ids.ts";
import type { DecidedUtterance, DecisionName } from "./decide-utterances.ts";

/**
 * What an utterance came to. `right`: what was expected, an answer of the right intent or a refusal. `asked`: it should be answered, and
 * the bot asked back with the right intent among the choices. `documents`: it should be answered by an intent, and documents answered.
 */
export type UtteranceOutcome = "right" | "asked" | "documents" | "missed";

/** An utterance that came to something else than it should. */
export interface Miss {
  text: string;
  /** null: out of scope. */
  expected: string | null;
  /** What decided it; where nothing matched, what came closest; null: nothing did. */
  got: string | null;
  /** Of `got`, 0–1: that it is asked for. */
  chance: number;
  expectedDecision: DecisionName;
  gotDecision: DecisionName;
  /** The intents that were asked about. */
  suggestions: readonly string[];
}

export function outcomeOf(decided: DecidedUtterance): UtteranceOutcome {
  const { expected, expectedDecision, gotDecision, decidedIntent, suggestions } = decided;
  const isAnswer = expectedDecision === "allowed" && expected !== null;
  if (gotDecision === expectedDecision && (!isAnswer || decidedIntent === expected)) return "right";
  if (isAnswer && gotDecision === "allowed" && decidedIntent === KNOWLEDGE_INTENT) return "documents";
  return isAnswer && gotDecision === "no_intent_match" && suggestions.includes(expected) ? "asked" : "missed";
}

/** How many came to what. */
export function countOutcomes(decided: readonly DecidedUtterance[]): Record<UtteranceOutcome, number> {
  const counts = { right: 0, asked: 0, documents: 0, missed: 0 };
  for (const utterance of decided) counts[outcomeOf(utterance)]++;
  return counts;
}

/** What was missed: first what was answered and should not have been, or with another intent; each part with the surest first. */
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
