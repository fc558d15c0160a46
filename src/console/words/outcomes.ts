import type { Rating } from "../../domain/feedback.ts";
import type { ImproveGroup } from "../../domain/operator/improve.ts";
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

/** A visitor's rating of an answer, in words. */
export const RATING_WORDS: Readonly<Record<Rating, string>> = { up: "Helped", down: "Did not help" };

export const RATINGS: readonly Rating[] = ["up", "down"];

type Kind = ImproveGroup["kind"];

/** Why messages wait in Improve, in the order in which it is offered. */
export const IMPROVE_KINDS: readonly Kind[] = ["unhelpful", "wrong", "unmatched", "asked", "refused"];

export const IMPROVE_KIND_WORDS: Readonly<Record<Kind, string>> = {
  unhelpful: RATING_WORDS.down,
  wrong: "Likely wrong",
  unmatched: OUTCOME_WORDS.unmatched,
  asked: OUTCOME_WORDS.asked,
  refused: OUTCOME_WORDS.refused,
};
