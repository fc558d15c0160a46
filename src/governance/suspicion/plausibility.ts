import type { Classification } from "../../domain/decision.ts";
import type { DeniedClause, Standings } from "./clauses.ts";

/** Keeps what is hardly in scope from being taken for a denied intent. */
const DOUBT = 0.4;

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

/**
 * Log odds that a message asks for something denied in a part of it. Fitted on the training and validation parts of the data
 * sets; the constant makes chances comparable with those of whole messages.
 */
const CLAUSE_ODDS = { anywhere: 1.5, atSeams: 2.45, whole: 0.36, constant: -1.55 };
const GREATEST_LEAD_ANYWHERE = 3;
const GREATEST_LEAD_AT_SEAMS = 1.6;
/** Also counts for a message without seams. */
const LEAST_LEAD_AT_SEAMS = -0.45;

/** The same for a message in a part of which a denied intent shows; `whole` is its plausibility as a whole. */
export function clausePlausibility({ anywhere, atSeams }: DeniedClause, whole: number): number {
  const odds =
    CLAUSE_ODDS.anywhere * Math.min(anywhere, GREATEST_LEAD_ANYWHERE) +
    CLAUSE_ODDS.atSeams * Math.min(Math.max(atSeams, LEAST_LEAD_AT_SEAMS), GREATEST_LEAD_AT_SEAMS) +
    CLAUSE_ODDS.whole * logit(whole) +
    CLAUSE_ODDS.constant;
  return 1 / (1 + Math.exp(-odds));
}
