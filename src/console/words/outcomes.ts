import type { Outcome } from "../../domain/operator/overview.ts";

/** The five outcomes in the order in which they are drawn. */
export const OUTCOMES: readonly Outcome[] = ["answered", "asked", "unmatched", "refused", "failed"];

/** What became of a message, in words. A refusal is no failure. */
export const OUTCOME_WORDS: Readonly<Record<Outcome, string>> = {
  answered: "Answered",
  asked: "Asked back",
  unmatched: "Not understood",
  refused: "Refused",
  failed: "Failed",
};
