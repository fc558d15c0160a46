import type { Restriction } from "../domain/decision.ts";
import type { GovernancePolicy } from "./policy.ts";

/** The text instead of an answer: the refusal for the reason, or a clarifying question if allowed intents are close. */
export function refusalText({ reason, rule, suggestions }: Restriction, { texts }: GovernancePolicy): string {
  if (rule === "no-choice") return texts.say("noneChosen");
  if (rule === "said-before") return texts.say("nothingMore");
  if (reason !== "no_intent_match" || suggestions.length === 0) return texts.say(reason);
  return texts.say("didYouMean", { choices: texts.list(suggestions.map(({ label }) => label)) });
}
