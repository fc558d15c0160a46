import type { ImproveGroup } from "../../domain/operator/improve.ts";
import { OUTCOME_WORDS } from "./outcomes.ts";
import { RATING_WORDS } from "./ratings.ts";

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
