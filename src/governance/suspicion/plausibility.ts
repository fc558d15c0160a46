import type { Classification } from "../../domain/decision.ts";
import type { Standings } from "./standings.ts";

/**
 * Added to the chances that a denied intent is held against. Where no intent has much of a chance, a denied one with 0.05 would be all
 * there is, and certain; with this it is taken for 0.11. At the default deny threshold, 0.4 too, a message in which nothing allowed shows
 * is denied from a confidence of 0.27 on.
 */
const DOUBT = 0.4;

function massOf(confidences: Float32Array, intents: readonly number[]): number {
  let mass = 0;
  for (let i = 0; i < intents.length; i++) mass += confidences[intents[i]!]!;
  return mass;
}

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
 * Log odds for each unit of evidence. `test/bench/governance/fit-clause-odds.ts` prints 1.54, 1.87, 0.46 and −0.92 for as many smuggled
 * requests as honest ones. Honest ones are far more frequent, so the odds in use lie lower: on the tuning parts of the data sets they
 * answer 0.82 of the allowed messages instead of 0.80, and deny 0.067 instead of 0.077 of the messages that join two allowed
 * requests, for 0.87 instead of 0.88 of the smuggled requests denied.
 */
const CLAUSE_ODDS = { anywhere: 1.5, atSeams: 2.45, whole: 0.36, constant: -1.55 };
/** A greater lead counts as these do, so that one odd stretch cannot outweigh everything else that is known. */
const GREATEST_LEAD_ANYWHERE = 3;
const GREATEST_LEAD_AT_SEAMS = 1.6;
/** A worse lead is no better evidence to the contrary; also counts for a message without seams, whose lead is −∞. */
const LEAST_LEAD_AT_SEAMS = -0.45;

/** Far more than rounding changes odds by, and far less than matters to a decision. */
const ROUNDING = 1e-6;

/** By how much a denied intent leads in parts of a message: −∞ where there is no such part. */
export interface Leads {
  /** The greatest lead of a stretch between two seams of the message. */
  atSeams: number;
  /** The greatest lead of any stretch. */
  anywhere: number;
}

/** What the odds weigh, in the order of `CLAUSE_ODDS`: both leads within their bounds, the log odds of the whole, and 1. */
export function clauseEvidence(
  { anywhere, atSeams }: Leads,
  whole: number,
): [anywhere: number, atSeams: number, whole: number, constant: number] {
  return [
    Math.min(anywhere, GREATEST_LEAD_ANYWHERE),
    Math.min(Math.max(atSeams, LEAST_LEAD_AT_SEAMS), GREATEST_LEAD_AT_SEAMS),
    logit(whole),
    1,
  ];
}

/**
 * The lead anywhere from which on a clause has such a chance; a little less, for rounding. It is what `clausePlausibility` turns round.
 * Infinite where no lead is great enough.
 */
export function leadForChance(chance: number, atSeams: number, whole: number): number {
  const [, seams, ofWhole, one] = clauseEvidence({ anywhere: 0, atSeams }, whole);
  const others =
    CLAUSE_ODDS.atSeams * seams + CLAUSE_ODDS.whole * ofWhole + CLAUSE_ODDS.constant * one + ROUNDING;
  const lead = (Math.log(chance / (1 - chance)) - others) / CLAUSE_ODDS.anywhere;
  return lead > GREATEST_LEAD_ANYWHERE ? Infinity : lead;
}

/**
 * The chance, 0–1, that a message asks for something denied in the part where a denied intent shows best.
 * @param whole the chance that it does as a whole.
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
