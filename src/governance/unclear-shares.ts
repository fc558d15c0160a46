import type { DecisionRule } from "../domain/decision.ts";

/**
 * An allowed intent is not answered where a denied one has this share of the deny threshold: too much to answer, too little to deny.
 * Where only a part of the message matches, the rest says something unknown, and less is enough. Lower shares restrict more smuggled
 * requests and answer fewer allowed ones; these were chosen by what `bun test/bench/governance/run.ts tuning` prints for both. For two
 * questions 0.15 and 0.2 print the same (23 November 2026); with 0.15 a word between the two ("also") keeps a small bot from answering.
 */
export const UNCLEAR_SHARES: Partial<Record<DecisionRule, number>> = {
  "best-intent": 0.37,
  "clearest-clause": 0.15,
  "two-questions": 0.2,
  // What was said before makes it no less of a request.
  "follow-up": 0.37,
};

/** With a lower share of the deny threshold a denied intent changes no decision. */
export const LEAST_UNCLEAR_SHARE = Math.min(...Object.values(UNCLEAR_SHARES));

/** Odds of a denied intent, for each of the deny threshold's odds and of the odds that documents answer. */
const UNCLEAR_ODDS = 0.083;

/**
 * From which chance of a denied intent on, documents do not answer: the surer they are, the more has to speak for it. On fourteen bots that
 * the encoder has not seen, each intent denied in turn, one of ten denied requests is answered from documents either way; of what documents
 * answer, 8 instead of 11 in a hundred are asked back, and 39 instead of 47 where a bot has three intents.
 * @param confidence the chance that documents answer.
 */
export function unclearBesideDocuments(denyThreshold: number, confidence: number): number {
  const odds = UNCLEAR_ODDS * oddsOf(denyThreshold) * oddsOf(confidence);
  return 1 / (1 + 1 / odds);
}

function oddsOf(chance: number): number {
  return chance / (1 - chance);
}
