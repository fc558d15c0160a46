import type { Outcome } from "../../domain/operator/overview.ts";

/** The outcomes in drawing order. */
export const OUTCOMES: readonly Outcome[] = ["answered", "asked", "unmatched", "refused", "failed"];

/** Outcomes in words. A refusal is intended, not a failure. */
export const OUTCOME_WORDS: Readonly<Record<Outcome, string>> = {
  answered: "Answered",
  asked: "Asked back",
  unmatched: "Not understood",
  refused: "Refused",
  failed: "Failed",
};
