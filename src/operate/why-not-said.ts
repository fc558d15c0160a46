import type { CandidateReceipt, DecisionReceipt, DecisionRule } from "../domain/decision.ts";
import { KNOWLEDGE_INTENT } from "../domain/ids.ts";

/** From this chance on it is told why the likeliest candidate was not what was said. */
const SURE = 0.5;

/** Why a candidate that was sure was not said, by the rule that decided; by any other rule, it was not sure enough. */
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
 * In a sentence, why what was sure was not said; undefined where the likeliest candidate was said, or none was sure.
 * @param answered the intents that were answered, `knowledge` among them where documents answered.
 * @param titles what passages are called, by id.
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

/** What a candidate is called. */
export function nameOf(
  { intent, passage }: CandidateReceipt,
  titles: Readonly<Record<number, string>>,
): string {
  return intent ?? titles[passage!.id] ?? `passage ${passage!.id}`;
}
