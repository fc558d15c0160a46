import type { DecisionRule } from "../domain/decision.ts";

/**
 * An allowed intent is not answered where a denied one has this share of the deny threshold: too much to answer, too little to deny.
 * Where only a part of the message matches, the rest says something unknown, and less is enough. Lower shares restrict more smuggled
 * requests and answer fewer allowed ones; these were chosen by what `bun test/bench/governance/run.ts tuning` prints for both.
 */
export const UNCLEAR_SHARES: Partial<Record<DecisionRule, number>> = {
  "best-intent": 0.37,
  "clearest-clause": 0.15,
  "two-questions": 0.15,
  // What was said before makes it no less of a request.
  "follow-up": 0.37,
  // Documents are asked about what no intent knows: as sure of what is denied as where an intent is.
  knowledge: 0.37,
  "knowledge-may-help": 0.37,
};

/** With a lower share of the deny threshold a denied intent changes no decision. */
export const LEAST_UNCLEAR_SHARE = Math.min(...Object.values(UNCLEAR_SHARES));
