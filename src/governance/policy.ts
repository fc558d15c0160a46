import { type BotDocument, withBotName } from "../domain/bot.ts";
import type { Classifier, DecisionThresholds, RestrictionReason } from "../domain/decision.ts";
import type { IntentName } from "../domain/ids.ts";
import { intentNameInWords } from "../domain/intent-name.ts";
import {
  type CompiledProfile,
  compileCapabilityProfile,
  DEFAULT_REFUSALS,
  type Standing,
} from "./profile/capability-profile.ts";
import type { Standings } from "./suspicion/standings.ts";

/** What a bot's operator decided about its turns, compiled once when the bot is loaded. */
export interface GovernancePolicy {
  profile: CompiledProfile;
  /** The classifier's intents, in its order. */
  intents: readonly IntentName[];
  standings: Standings;
  mode: "enforce" | "observe";
  thresholds: DecisionThresholds;
  defaultIntent?: IntentName;
  /** What "Did you mean: …?" calls an intent. */
  labels: ReadonlyMap<IntentName, string>;
  /** Said when a turn is restricted; the bot's name is in place. */
  refusals: Readonly<Record<RestrictionReason, string>>;
}

/**
 * A lower threshold denies more of the denied requests and more of the allowed ones; at this one, bots on the data sets deny about 3 %
 * of what they allow, by what `bun test/bench/governance/run.ts` prints.
 */
export const DEFAULT_DENY_THRESHOLD = 0.4;

function labelsOf(bot: BotDocument): Map<IntentName, string> {
  const intents = bot.intents ?? [];
  return new Map(intents.map(({ name, label }) => [name, label ?? intentNameInWords(name)]));
}

function refusalsOf(bot: BotDocument): Record<RestrictionReason, string> {
  const texts = { ...DEFAULT_REFUSALS, ...bot.capabilityProfile?.refusals };
  return {
    DENY_LIST: withBotName(texts.DENY_LIST, bot.name),
    NOT_IN_ALLOW_LIST: withBotName(texts.NOT_IN_ALLOW_LIST, bot.name),
    no_intent_match: withBotName(texts.no_intent_match, bot.name),
  };
}

function standingsOf(intents: readonly IntentName[], profile: CompiledProfile): Standings {
  const indexes = (wanted: Standing) =>
    intents.flatMap((intent, index) => (profile.standingOf(intent) === wanted ? [index] : []));
  return { denied: indexes("denied"), allowed: indexes("allowed") };
}

/**
 * Compiles what a bot document says about governance, for the classifier that was trained on it; the document's own thresholds go
 * before that classifier's and the default.
 */
export function compileGovernancePolicy(
  bot: BotDocument,
  { intents, matchThreshold }: Pick<Classifier, "intents" | "matchThreshold">,
): GovernancePolicy {
  const { classifier = {}, capabilityProfile, defaultIntent } = bot;
  const profile = compileCapabilityProfile(capabilityProfile);
  return {
    profile,
    intents,
    standings: standingsOf(intents, profile),
    mode: capabilityProfile?.mode ?? "enforce",
    thresholds: {
      match: classifier.threshold ?? matchThreshold,
      deny: classifier.denyThreshold ?? DEFAULT_DENY_THRESHOLD,
    },
    ...(defaultIntent === undefined ? {} : { defaultIntent }),
    labels: labelsOf(bot),
    refusals: refusalsOf(bot),
  };
}
