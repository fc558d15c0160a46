import type { CandidateReceipt, DecisionReceipt, DecisionRule } from "../domain/decision.ts";
import { KNOWLEDGE_INTENT } from "../domain/ids.ts";

/** Probability from which on a candidate that was not answered gets an explanation. Chosen by hand. */
const SURE = 0.5;

/** The reason why the likeliest candidate was not answered, by deciding rule; default: its probability was too low. */
const WHY: Partial<Record<DecisionRule, string>> = {
  "deny-term": "the message holds a term that the profile denies",
  "deny-pattern": "the message holds data of a kind that the profile denies",
  unclear: "the message may ask for something denied, too",
  "said-before": "it had been said just before",
  social: "the message was taken as a courtesy, or as the wish for a person",
  "shared-word": "several intents share the message's one word",
  "two-questions": "two parts of the message were answered, each by itself",
};

/**
 * Explains in a sentence why the likeliest candidate was not answered; undefined if it was, or if no candidate was likely enough.
 * @param answered the intents answered, with `knowledge` if documents answered.
 * @param titles of passages, by id.
 */
export function whyNotSaid(
  { rule, candidates }: Pick<DecisionReceipt, "rule" | "candidates">,
  answered: readonly string[],
  titles: Readonly<Record<number, string>>,
): string | undefined {
  const best = candidates?.[0];
  if (best === undefined || best.chance < SURE || answered.includes(best.intent ?? KNOWLEDGE_INTENT))
    return undefined;
  const why = WHY[rule] ?? "an answer has to be surer than that: a wrong one costs more than none";
  return `${nameOf(best, titles)} was ${Math.round(100 * best.chance)} % sure and was not said: ${why}`;
}

/** The name of a candidate for display. */
export function nameOf(
  { intent, passage }: CandidateReceipt,
  titles: Readonly<Record<number, string>>,
): string {
  return intent ?? titles[passage!.id] ?? `passage ${passage!.id}`;
}
