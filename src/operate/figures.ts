import type { DecidedUtterance } from "./decide-utterances.ts";
import { evaluatePredictions, type IntentEvaluation } from "./evaluate.ts";
import { outcomeOf } from "./misses.ts";

/** Rates are 0–1, and null where there is nothing to measure them on. */
export interface Evaluation extends IntentEvaluation {
  /** Of what is in scope, how much is decided rightly, or asked back with the right intent among the choices. */
  served: number | null;
  /** Of what is in scope, how much is asked back like that. */
  askedBackRightly: number | null;
  /** Of what should be denied, how much is restricted, for whatever reason. */
  deniedRecall: number | null;
  /** Of what should be denied, how much is denied as such. A bot that refuses everything has a `deniedRecall` of 1, and little of this. */
  deniedByDenyList: number | null;
  /** Of what should be allowed, how much is allowed. */
  allowedAnswered: number | null;
  /** Of what should be allowed, how much is denied. */
  falseDenialRate: number | null;
  /** How much is decided as expected. */
  decisionAccuracy: number | null;
}

/** The figures of `parley eval` about classifier and decision. */
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
    // Where nothing is out of scope, no rejection could be right.
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
