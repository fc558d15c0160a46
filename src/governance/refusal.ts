import type { Restriction } from "../domain/decision.ts";
import type { IntentName } from "../domain/ids.ts";
import type { GovernancePolicy } from "./policy.ts";

function listed(labels: readonly string[]): string {
  return labels.length < 2 ? labels.join("") : `${labels.slice(0, -1).join(", ")} or ${labels.at(-1)}`;
}

/**
 * What a bot says instead of an answer: the profile's refusal for the reason, or, where allowed intents are close, the
 * question which of them was meant.
 */
export function refusalText(restriction: Restriction, policy: GovernancePolicy): string {
  const labelOf = (intent: IntentName) => policy.labels.get(intent) ?? intent;
  if (restriction.reason === "no_intent_match" && restriction.suggestions.length > 0) {
    return `Did you mean: ${listed(restriction.suggestions.map(labelOf))}?`;
  }
  return policy.refusals[restriction.reason];
}
