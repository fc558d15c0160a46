import type { Suggestion } from "../domain/chat.ts";
import type { Classification } from "../domain/decision.ts";
import type { IntentName } from "../domain/ids.ts";
import type { GovernancePolicy } from "./policy.ts";
import type { CompiledProfile } from "./profile/capability-profile.ts";

/** A question with more than three choices is a menu. */
const MOST_SUGGESTIONS = 3;
/** A menu with more than six entries is a page. */
const MOST_OFFERS = 6;
/**
 * Share of the match threshold from which on a message is asked about: its subject may be the bot's. `npm run bench:intent -- --fit` prints
 * the share that 95 of 100 messages in scope reach, on bots that it is not fitted to.
 */
const ASK_SHARE = 0.67;
/** Two suggestions in a hundred messages are worth no more room. */
const SUGGESTION_CONFIDENCE = 0.02;
/** Beside a clear suggestion, one that is ten times less likely only distracts. */
const SUGGESTION_SHARE = 0.1;

type Labels = Pick<GovernancePolicy, "labels">;

/** An intent as a visitor is shown it. */
export function suggestionOf(intent: IntentName, { labels }: Labels): Suggestion {
  return { intent, label: labels.get(intent) ?? intent };
}

/** The closest allowed intents of a text, best first; none where its subject is foreign to the bot. */
export function closestAllowed(
  { scores, inScope }: Classification,
  policy: Pick<GovernancePolicy, "labels" | "thresholds">,
  profile: CompiledProfile,
): Suggestion[] {
  if (inScope < ASK_SHARE * policy.thresholds.match) return [];
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
