import type { Classification } from "../domain/decision.ts";
import type { DeniedClause, Standings } from "./clauses.ts";

/** Keeps what is hardly in scope from being taken for a denied intent. */
const DOUBT = 0.25;

const massOf = (confidences: Float32Array, intents: readonly number[]): number =>
  intents.reduce((mass, k) => mass + confidences[k]!, 0);

/** Chance, 0–1, that a text asks for something denied rather than for something allowed or out of scope. */
export function plausibilityOf({ confidences }: Classification, { denied, allowed }: Standings): number {
  const mass = massOf(confidences, denied);
  return mass === 0 ? 0 : mass / (mass + massOf(confidences, allowed) + DOUBT);
}

const logit = (p: number): number => {
  const bounded = Math.min(Math.max(p, 1e-3), 1 - 1e-3);
  return Math.log(bounded / (1 - bounded));
};

/** Fitted on the training and validation parts of the data sets; see test/bench/governance. */
const CLAUSE_MODEL = { anywhere: 0.087, atSeams: 0.098, whole: 0.38, constant: -0.9 };

/** The same for a message in a part of which a denied intent shows; `whole` is its plausibility as a whole. */
export function clausePlausibility({ anywhere, atSeams }: DeniedClause, whole: number): number {
  const evidence =
    CLAUSE_MODEL.anywhere * Math.min(anywhere, 45) +
    CLAUSE_MODEL.atSeams * Math.min(Math.max(atSeams, -17), 25) +
    CLAUSE_MODEL.whole * logit(whole) +
    CLAUSE_MODEL.constant;
  return 1 / (1 + Math.exp(-evidence));
}
