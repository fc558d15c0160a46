import type { Restriction } from "../domain/decision.ts";
import type { GovernancePolicy } from "./policy.ts";

/**
 * What a bot says instead of an answer: the refusal for the reason, or, where allowed intents are close, the question which of them was
 * meant.
 */
export function refusalText({ reason, rule, suggestions }: Restriction, { texts }: GovernancePolicy): string {
  if (rule === "no-choice") return texts.say("noneChosen");
  if (rule === "said-before") return texts.say("nothingMore");
  if (reason !== "no_intent_match" || suggestions.length === 0) return texts.say(reason);
  return texts.say("didYouMean", { choices: texts.list(suggestions.map(({ label }) => label)) });
}
