import type { Classification } from "../../domain/decision.ts";

/** Indexes of a classifier's intents that a profile denies and allows; others are on neither list. */
export interface Standings {
  denied: readonly number[];
  allowed: readonly number[];
}

/**
 * Added to the confidences compared with a denied intent. Without it, a denied intent at 0.05 would be certain if no other had any
 * confidence; with it, its probability is 0.11. At the default deny threshold (also 0.4), a message without any allowed evidence is denied
 * from a confidence of 0.27 on.
 */
const DOUBT = 0.4;

function massOf(confidences: Float32Array, intents: readonly number[]): number {
  let mass = 0;
  for (let i = 0; i < intents.length; i++) mass += confidences[intents[i]!]!;
  return mass;
}

/** Probability (0–1) that a text asks for something denied rather than something allowed or out of scope. */
export function plausibilityOf({ confidences }: Classification, { denied, allowed }: Standings): number {
  const mass = massOf(confidences, denied);
  return mass === 0 ? 0 : mass / (mass + massOf(confidences, allowed) + DOUBT);
}

const logit = (p: number): number => {
  const bounded = Math.min(Math.max(p, 1e-3), 1 - 1e-3);
  return Math.log(bounded / (1 - bounded));
};

/**
 * Log odds per unit of evidence. `test/bench/governance/fit-clause-odds.ts` prints 1.54, 1.87, 0.46 and −0.92 for equal numbers of smuggled
 * and honest requests. Honest requests are far more frequent, so lower odds are used: on the tuning parts of the data sets they answer 0.82
 * instead of 0.80 of the allowed messages, deny 0.067 instead of 0.077 of the messages with two allowed requests, and deny 0.87 instead of
 * 0.88 of the smuggled requests.
 */
const CLAUSE_ODDS = { anywhere: 1.5, atSeams: 2.45, whole: 0.36, constant: -1.55 };
/** Greater leads are capped here, so that one unusual stretch cannot outweigh all other evidence. */
const GREATEST_LEAD_ANYWHERE = 3;
const GREATEST_LEAD_AT_SEAMS = 1.6;
/** Smaller leads are raised to this value; it is also used for a message without seams, whose lead is −∞. */
const MIN_LEAD_AT_SEAMS = -0.45;

/** Larger than rounding errors of the odds, and too small to affect a decision. */
const ROUNDING = 1e-6;

/** Leads of a denied intent in parts of a message; −∞ without such a part. */
export interface Leads {
  /** Greatest lead of a stretch between two seams. */
  atSeams: number;
  /** Greatest lead of any stretch. */
  anywhere: number;
}

/** The inputs of the odds in the order of `CLAUSE_ODDS`: both limited leads, the log odds of the whole message, and 1. */
export function clauseEvidence(
  { anywhere, atSeams }: Leads,
  whole: number,
): [anywhere: number, atSeams: number, whole: number, constant: number] {
  return [
    Math.min(anywhere, GREATEST_LEAD_ANYWHERE),
    Math.min(Math.max(atSeams, MIN_LEAD_AT_SEAMS), GREATEST_LEAD_AT_SEAMS),
    logit(whole),
    1,
  ];
}

/**
 * The smallest `anywhere` lead for which a clause reaches a probability, minus a margin for rounding; the inverse of `clausePlausibility`.
 * Infinite if no lead suffices.
 */
export function leadForChance(chance: number, atSeams: number, whole: number): number {
  const [, seams, ofWhole, one] = clauseEvidence({ anywhere: 0, atSeams }, whole);
  const others =
    CLAUSE_ODDS.atSeams * seams + CLAUSE_ODDS.whole * ofWhole + CLAUSE_ODDS.constant * one + ROUNDING;
  const lead = (Math.log(chance / (1 - chance)) - others) / CLAUSE_ODDS.anywhere;
  return lead > GREATEST_LEAD_ANYWHERE ? Infinity : lead;
}

/**
 * Probability (0–1) that a message asks for something denied in its most suspicious part. @param whole the probability for the whole
 * message.
 */
export function clausePlausibility(clause: Leads, whole: number): number {
  const [anywhere, atSeams, ofWhole, one] = clauseEvidence(clause, whole);
  const odds =
    CLAUSE_ODDS.anywhere * anywhere +
    CLAUSE_ODDS.atSeams * atSeams +
    CLAUSE_ODDS.whole * ofWhole +
    CLAUSE_ODDS.constant * one;
  return 1 / (1 + Math.exp(-odds));
}
