import type { Suggestion } from "../domain/chat.ts";
import type { Classification } from "../domain/decision.ts";
import type { IntentName } from "../domain/ids.ts";
import type { GovernancePolicy } from "./policy.ts";
import type { CompiledProfile } from "./profile/capability-profile.ts";

/** A question with more than three choices is a menu. */
const MOST_SUGGESTIONS = 3;
/** A menu with more than six entries is a page. */
const MOST_OFFERS = 6;
/** A suggestion that is right less than one time in ten is a guess. */
const SUGGESTION_CONFIDENCE = 0.1;
/** Beside a clear suggestion, one with less than a third of its confidence only distracts. */
const SUGGESTION_SHARE = 1 / 3;

type Labels = Pick<GovernancePolicy, "labels">;

/** An intent as a visitor is shown it. */
export function suggestionOf(intent: IntentName, { labels }: Labels): Suggestion {
  return { intent, label: labels.get(intent) ?? intent };
}

/** The closest allowed intents of a text, best first; none where it is close to none. */
export function closestAllowed(
  { scores }: Classification,
  policy: Labels,
  profile: CompiledProfile,
): Suggestion[] {
  const allowed = scores.filter(({ intent }) => profile.standingOf(intent) === "allowed");
  const atLeast = Math.max(SUGGESTION_CONFIDENCE, (allowed[0]?.confidence ?? 0) * SUGGESTION_SHARE);
  return allowed
    .filter(({ confidence }) => confidence >= atLeast)
    .slice(0, MOST_SUGGESTIONS)
    .map(({ intent }) => suggestionOf(intent, policy));
}

/** The first of these intents that are allowed: a question which of them is meant. */
export function allowedAmong(
  intents: readonly IntentName[],
  policy: Labels,
  profile: CompiledProfile,
): Suggestion[] {
  return intents
    .filter((intent) => profile.standingOf(intent) === "allowed")
    .slice(0, MOST_SUGGESTIONS)
    .map((intent) => suggestionOf(intent, policy));
}

/** What the bot can do, for a visitor who asks: allowed intents in the order of the bot file. */
export function offersOf(
  policy: Pick<GovernancePolicy, "labels" | "intents">,
  profile: CompiledProfile,
): Suggestion[] {
  return policy.intents
    .filter((intent) => profile.standingOf(intent) === "allowed")
    .slice(0, MOST_OFFERS)
    .map((intent) => suggestionOf(intent, policy));
}

/** A suggestion before others, which it is not repeated among. */
export function withFirst(first: Suggestion, others: readonly Suggestion[]): Suggestion[] {
  return [first, ...others.filter(({ intent }) => intent !== first.intent)].slice(0, MOST_SUGGESTIONS);
}
