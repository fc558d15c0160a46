import type { BotDocument } from "../domain/bot.ts";
import type { Classifier, DecisionThresholds } from "../domain/decision.ts";
import { offersPersonWhen } from "../domain/handoff.ts";
import { type IntentName, KNOWLEDGE_INTENT } from "../domain/ids.ts";
import { intentNameInWords, type Standing } from "../domain/intent-pattern.ts";
import { knowledgeResponderFor, responderFor } from "../domain/responder.ts";
import type { SocialContext } from "../social/read-courtesies.ts";
import { givenDataIn } from "../text/given-data.ts";
import { type BotTexts, compileTexts } from "../texts/bot-texts.ts";
import { compileDenyRules, type DenyRules } from "./find-deny-rule.ts";
import { compileCapabilityProfile, type CompiledProfile } from "./profile/capability-profile.ts";
import { compileSocialPolicy, type SocialPolicy, takesSocialTurns } from "./social-policy.ts";
import type { Standings } from "./suspicion/plausibility.ts";

/** The bot's rules for its turns, compiled when the bot is loaded. */
export interface GovernancePolicy {
  profile: CompiledProfile;
  /** The classifier's intents, in its order. */
  intents: readonly IntentName[];
  standings: Standings;
  /** Undefined without deny terms and deny patterns. */
  denyRules?: DenyRules;
  mode: "enforce" | "observe";
  thresholds: DecisionThresholds;
  /** The bot's own threshold: least probability (0–1) of an answer. */
  leastChance?: number;
  defaultIntent?: IntentName;
  /** Labels of intents in "Did you mean: …?". */
  labels: ReadonlyMap<IntentName, string>;
  /** The bot's fixed texts. */
  texts: BotTexts;
  /** The bot's names in greetings, and its language. */
  addressing: SocialContext;
  /** Undefined if small talk is off. */
  social: SocialPolicy | undefined;
  /** Intents that can be answered together with another one: from a script and without a schema; includes `knowledge` if documents can. */
  joinable: ReadonlySet<IntentName>;
  /** Intents with data as an example. Computed at the first message with data, because it reads every example. */
  readonly takesData: ReadonlySet<IntentName>;
}

/**
 * A lower threshold denies more denied requests and more allowed ones. With this one, bots on the data sets deny about 3 % of allowed
 * requests, according to `bun test/bench/governance/run.ts`.
 */
export const DEFAULT_DENY_THRESHOLD = 0.4;

function labelsOf(bot: BotDocument): Map<IntentName, string> {
  const intents = bot.intents ?? [];
  return new Map(intents.map(({ name, label }) => [name, label ?? intentNameInWords(name)]));
}

/** Intents of a bot that can be answered together with another; see `GovernancePolicy`. */
export function joinableIntents(bot: BotDocument): ReadonlySet<IntentName> {
  if (bot.outputSchema !== undefined) return new Set();
  const joinable = (bot.intents ?? []).filter(
    ({ name, outputSchema, action }) =>
      outputSchema === undefined && action === undefined && responderFor(bot, name).kind === "scripted",
  );
  const areDocuments = knowledgeResponderFor(bot) === undefined;
  return new Set([...joinable.map(({ name }) => name), ...(areDocuments ? [KNOWLEDGE_INTENT] : [])]);
}

function intentsTakingData({ intents = [] }: BotDocument): ReadonlySet<IntentName> {
  const taking = intents.filter(({ examples = [] }) =>
    examples.some((text) => givenDataIn(text) !== undefined),
  );
  return new Set(taking.map(({ name }) => name));
}

function standingsOf(intents: readonly IntentName[], profile: CompiledProfile): Standings {
  const indexes = (wanted: Standing) =>
    intents.flatMap((intent, index) => (profile.standingOf(intent) === wanted ? [index] : []));
  return { denied: indexes("denied"), allowed: indexes("allowed") };
}

/**
 * Compiles a bot's governance settings for its classifier. The bot's own thresholds have precedence over the classifier's and the default.
 */
export function compileGovernancePolicy(
  bot: BotDocument,
  { intents, matchThreshold }: Pick<Classifier, "intents" | "matchThreshold">,
): GovernancePolicy {
  const { classifier = {}, capabilityProfile, defaultIntent } = bot;
  const profile = compileCapabilityProfile(capabilityProfile);
  const texts = compileTexts(bot);
  const offersPerson = takesSocialTurns(bot) && offersPersonWhen(bot.handoff, "asked");
  const addressing: SocialContext = { language: texts.language, botName: bot.name, offersPerson };
  const denyRules = compileDenyRules(capabilityProfile, texts.language);
  let takesData: ReadonlySet<IntentName> | undefined;
  return {
    profile,
    intents,
    standings: standingsOf(intents, profile),
    ...(denyRules && { denyRules }),
    mode: capabilityProfile?.mode ?? "enforce",
    thresholds: {
      match: classifier.threshold ?? matchThreshold,
      deny: classifier.denyThreshold ?? DEFAULT_DENY_THRESHOLD,
    },
    ...(classifier.threshold !== undefined && { leastChance: classifier.threshold }),
    ...(defaultIntent === undefined ? {} : { defaultIntent }),
    labels: labelsOf(bot),
    texts,
    addressing,
    social: compileSocialPolicy(bot, profile, addressing),
    joinable: joinableIntents(bot),
    get takesData() {
      return (takesData ??= intentsTakingData(bot));
    },
  };
}
