import { KNOWLEDGE_INTENT } from "../domain/ids.ts";
import type { DecidedUtterance, DecisionName } from "./decide-utterances.ts";
import { evaluatePredictions, type IntentEvaluation, shareOf } from "./evaluate.ts";

/**
 * Result of an utterance. `right`: the expected result. `asked`: it should have been answered and got a clarifying question with the right
 * intent. `documents`: it should have been answered by an intent and was answered from documents.
 */
type UtteranceOutcome = "right" | "asked" | "documents" | "missed";

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

/** Rates are 0–1, null if there is nothing to measure. */
export interface Evaluation extends IntentEvaluation {
  /** Share of in-scope utterances decided correctly, or questioned back with the right intent among the choices. */
  served: number | null;
  /** Share of in-scope utterances questioned back with the right intent among the choices. */
  askedBackRightly: number | null;
  /** Share of utterances to deny that are restricted for any reason. */
  deniedRecall: number | null;
  /** Share of utterances to deny that are denied as such. A bot that refuses everything has a `deniedRecall` of 1 and a low value here. */
  deniedByDenyList: number | null;
  /** Share of utterances to allow that are allowed. */
  allowedAnswered: number | null;
  /** Share of utterances to allow that are denied. */
  falseDenialRate: number | null;
  /** Share decided as expected. */
  decisionAccuracy: number | null;
}

/** The figures of `parley eval` for classifier and decision. */
export function evaluateDecisions(decided: readonly DecidedUtterance[]): Evaluation {
  const toDeny = decided.filter(({ expectedDecision }) => expectedDecision === "DENY_LIST");
  const toAllow = decided.filter(({ expectedDecision }) => expectedDecision === "allowed");
  const inScope = decided.filter(({ expected }) => expected !== null);
  const ofClassifier = evaluatePredictions(decided);
  const { outOfScopeRecall, outOfScopePrecision } = ofClassifier;
  return {
    ...ofClassifier,
    served: shareOf(inScope, (utterance) => outcomeOf(utterance) !== "missed"),
    askedBackRightly: shareOf(inScope, (utterance) => outcomeOf(utterance) === "asked"),
    // Null without out-of-scope utterances: no rejection could be right.
    outOfScopePrecision: outOfScopeRecall === null ? null : outOfScopePrecision,
    deniedRecall: shareOf(toDeny, ({ gotDecision }) => gotDecision !== "allowed"),
    deniedByDenyList: shareOf(toDeny, ({ gotDecision }) => gotDecision === "DENY_LIST"),
    allowedAnswered: shareOf(toAllow, ({ gotDecision }) => gotDecision === "allowed"),
    falseDenialRate: shareOf(toAllow, ({ gotDecision }) => gotDecision === "DENY_LIST"),
    decisionAccuracy: shareOf(
      decided,
      ({ expectedDecision, gotDecision }) => expectedDecision === gotDecision,
    ),
  };
}
