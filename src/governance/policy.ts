import { type BotDocument, withBotName } from "../domain/bot.ts";
import type { DecisionThresholds, RestrictionReason } from "../domain/decision.ts";
import type { IntentName } from "../domain/ids.ts";
import { type CompiledProfile, compileCapabilityProfile, DEFAULT_REFUSALS } from "./capability-profile.ts";

/** What a bot's operator decided about its turns, compiled once when the bot is loaded. */
export interface GovernancePolicy {
  profile: CompiledProfile;
  mode: "enforce" | "observe";
  thresholds: DecisionThresholds;
  defaultIntent?: IntentName;
  /** What "Did you mean: …?" calls an intent. */
  labels: ReadonlyMap<IntentName, string>;
  /** Said when a turn is restricted; the bot's name is in place. */
  refusals: Readonly<Record<RestrictionReason, string>>;
}

/** Measured over all data sets by test/bench/governance. */
export const DEFAULT_THRESHOLDS: DecisionThresholds = { match: 0.4, deny: 0.3, denyClause: 0.6 };

/** A name as a visitor may read it: `orders.delivery_status` becomes "delivery status". */
export function humanisedName(intent: string): string {
  const segments = intent.split(".");
  return (segments.at(-1) ?? intent).replaceAll(/[_-]+/g, " ");
}

/** Last segments are dropped to tell intents apart only if no other intent shares them. */
function defaultLabels(names: readonly string[]): Map<string, string> {
  const short = names.map(humanisedName);
  return new Map(
    names.map((name, index) => {
      const label = short[index]!;
      const shared = short.filter((other) => other === label).length > 1;
      return [name, shared ? name.replaceAll(/[._-]+/g, " ") : label];
    }),
  );
}

function labelsOf(bot: BotDocument): Map<IntentName, string> {
  const intents = bot.intents ?? [];
  const defaults = defaultLabels(intents.map((intent) => intent.name));
  return new Map(
    intents.map((intent) => [
      intent.name as IntentName,
      intent.label ?? defaults.get(intent.name) ?? intent.name,
    ]),
  );
}

function refusalsOf(bot: BotDocument): Record<RestrictionReason, string> {
  const texts = { ...DEFAULT_REFUSALS, ...bot.capabilityProfile?.refusals };
  return {
    DENY_LIST: withBotName(texts.DENY_LIST, bot.name),
    NOT_IN_ALLOW_LIST: withBotName(texts.NOT_IN_ALLOW_LIST, bot.name),
    no_intent_match: withBotName(texts.no_intent_match, bot.name),
  };
}

/**
 * Compiles what a bot document says about governance. `matchThreshold` is what the trained classifier proposes for this
 * bot; the document's own `classifier.threshold` goes before it.
 */
export function compileGovernancePolicy(bot: BotDocument, matchThreshold?: number): GovernancePolicy {
  const { classifier = {}, capabilityProfile, defaultIntent } = bot;
  const match = classifier.threshold ?? matchThreshold ?? DEFAULT_THRESHOLDS.match;
  const deny = classifier.denyThreshold ?? DEFAULT_THRESHOLDS.deny;
  return {
    profile: compileCapabilityProfile(capabilityProfile),
    mode: capabilityProfile?.mode ?? "enforce",
    thresholds: { match, deny, denyClause: Math.max(deny, DEFAULT_THRESHOLDS.denyClause) },
    ...(defaultIntent === undefined ? {} : { defaultIntent: defaultIntent as IntentName }),
    labels: labelsOf(bot),
    refusals: refusalsOf(bot),
  };
}
