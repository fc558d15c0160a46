import type { DecisionRule } from "../domain/decision.ts";

/**
 * Shares of the deny threshold from which on a denied intent prevents an answer without denying the message. If only a part of the message
 * matches, the rest is unknown, so a lower share applies. Lower shares restrict more smuggled requests and answer fewer allowed ones;
 * chosen by `bun test/bench/governance/run.ts tuning` for both. For two questions 0.15 and 0.2 give the same result (23 November 2026), but
 * with 0.15 a word between the two ("also") prevents answers of a small bot.
 */
export const UNCLEAR_SHARES: Partial<Record<DecisionRule, number>> = {
  "best-intent": 0.37,
  "clearest-clause": 0.15,
  "two-questions": 0.2,
  // A reference to earlier messages does not make it less of a request.
  "follow-up": 0.37,
};

/** A denied intent below this share of the deny threshold does not affect any decision. */
export const LEAST_UNCLEAR_SHARE = Math.min(...Object.values(UNCLEAR_SHARES));

/** Factor for the odds of the deny threshold and the odds that documents answer. */
const UNCLEAR_ODDS = 0.083;

/**
 * Probability of a denied intent from which on documents do not answer: the more certain the documents, the higher it is. On fourteen bots
 * that the encoder has not seen, with each intent denied in turn, one of ten denied requests is answered from documents with or without it;
 * 8 instead of 11 % of document answers become clarifying questions, and 39 instead of 47 % for a bot of three intents. @param confidence
 * the probability that documents answer.
 */
export function unclearBesideDocuments(denyThreshold: number, confidence: number): number {
  const odds = UNCLEAR_ODDS * oddsOf(denyThreshold) * oddsOf(confidence);
  return 1 / (1 + 1 / odds);
}

function oddsOf(chance: number): number {
  return chance / (1 - chance);
}
