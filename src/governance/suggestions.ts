import type { Suggestion } from "../domain/chat.ts";
import type { Classification } from "../domain/decision.ts";
import type { IntentName } from "../domain/ids.ts";
import type { GovernancePolicy } from "./policy.ts";
import type { CompiledProfile } from "./profile/capability-profile.ts";

/** Most choices of a clarifying question. */
const MAX_SUGGESTIONS = 3;
/** Most entries of a list of abilities. */
const MAX_OFFERS = 6;
/**
 * Minimum share of the match threshold at which a clarifying question is asked. `npm run bench:intent -- --fit` prints the share that 95 %
 * of in-scope messages reach, on bots not used for fitting.
 */
const ASK_SHARE = 0.67;
/** Confidence below which a choice is left out. Chosen by hand. */
const SUGGESTION_CONFIDENCE = 0.02;
/** Confidence relative to the best choice below which another is left out. Chosen by hand. */
const SUGGESTION_SHARE = 0.1;

type Labels = Pick<GovernancePolicy, "labels">;

/** An intent in the form shown to visitors. */
export function suggestionOf(intent: IntentName, { labels }: Labels): Suggestion {
  return { intent, label: labels.get(intent) ?? intent };
}

/** The closest allowed intents of a text, best first; none if the text is out of scope. */
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
    .slice(0, MAX_SUGGESTIONS)
    .map(({ intent }) => suggestionOf(intent, policy));
}

/** The first allowed ones of these intents, for a clarifying question. */
export function allowedAmong(
  intents: readonly IntentName[],
  policy: Labels,
  profile: CompiledProfile,
): Suggestion[] {
  return intents
    .filter((intent) => profile.standingOf(intent) === "allowed")
    .slice(0, MAX_SUGGESTIONS)
    .map((intent) => suggestionOf(intent, policy));
}

/** The bot's abilities for a visitor who asks: allowed intents in the order of the bot file. */
export function offersOf(
  policy: Pick<GovernancePolicy, "labels" | "intents">,
  profile: CompiledProfile,
): Suggestion[] {
  return policy.intents
    .filter((intent) => profile.standingOf(intent) === "allowed")
    .slice(0, MAX_OFFERS)
    .map((intent) => suggestionOf(intent, policy));
}

/** Puts a suggestion first and removes its repetition. */
export function withFirst(first: Suggestion, others: readonly Suggestion[]): Suggestion[] {
  return [first, ...others.filter(({ intent }) => intent !== first.intent)].slice(0, MAX_SUGGESTIONS);
}
