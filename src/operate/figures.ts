import type { DecidedUtterance } from "./decide-utterances.ts";
import { evaluatePredictions, type IntentEvaluation } from "./evaluate.ts";
import { outcomeOf } from "./misses.ts";

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

function shareOf<T>(items: readonly T[], holds: (item: T) => boolean): number | null {
  return items.length === 0 ? null : items.filter(holds).length / items.length;
}
