import {
  type Classification,
  type Decision,
  type DecisionRule,
  isMatch,
  type Permission,
  type Restriction,
} from "../domain/decision.ts";
import type { IntentName } from "../domain/ids.ts";
import { agreedIntent, inheritedIntent, type PreviousTurn } from "./follow-up/follow-up.ts";
import { type JudgedMessage, type JudgedReading, readingsOf } from "./judged-message.ts";
import type { GovernancePolicy } from "./policy.ts";
import { type CompiledProfile, OPEN_PROFILE } from "./profile/capability-profile.ts";

/** A message that was judged, and what it is decided by. */
export interface DecisionInput {
  judged: JudgedMessage;
  policy: GovernancePolicy;
  /** Absent in the first turn of a conversation. */
  previous?: PreviousTurn;
}

/** A question with more than three choices is a menu. */
const MOST_SUGGESTIONS = 3;
/** A suggestion that is right less than one time in ten is a guess. */
const SUGGESTION_CONFIDENCE = 0.1;
/** Beside a clear suggestion, one with less than a third of its confidence only distracts. */
const SUGGESTION_SHARE = 1 / 3;
/**
 * An allowed intent is not answered where a denied one has this share of the deny threshold: too much to answer, too little to deny.
 * Where only a part of the message matches, the rest says something unknown, and less is enough. Lower shares restrict more smuggled
 * requests and answer fewer allowed ones; these were chosen by what `bun test/bench/governance/run.ts tuning` prints for both.
 */
const UNCLEAR_SHARES: Partial<Record<DecisionRule, number>> = {
  "best-intent": 0.37,
  "clearest-clause": 0.15,
};

/** What a message matched, and by which rule. */
type Match = [Classification, DecisionRule];

/** The closest allowed intents of a text. */
function closestAllowed({ scores }: Classification, profile: CompiledProfile): IntentName[] {
  const allowed = scores.filter(({ intent }) => profile.standingOf(intent) === "allowed");
  const atLeast = Math.max(SUGGESTION_CONFIDENCE, (allowed[0]?.confidence ?? 0) * SUGGESTION_SHARE);
  return allowed
    .filter(({ confidence }) => confidence >= atLeast)
    .slice(0, MOST_SUGGESTIONS)
    .map(({ intent }) => intent);
}

function byProfile(
  intent: IntentName,
  rule: DecisionRule,
  profile: CompiledProfile,
): Permission | Restriction {
  const standing = profile.standingOf(intent);
  if (standing === "allowed") return { kind: "allowed", intent, rule };
  const reason = standing === "denied" ? "DENY_LIST" : "NOT_IN_ALLOW_LIST";
  return { kind: "restricted", reason, intent, rule, suggestions: [] };
}

function denied(intent: IntentName, rule: DecisionRule): Restriction {
  return { kind: "restricted", reason: "DENY_LIST", intent, rule, suggestions: [] };
}

function denialIn({ reading, whole, clause }: JudgedReading, threshold: number): Restriction | undefined {
  const isDisguised = reading === "undisguised";
  if (whole !== undefined && whole.chance >= threshold) {
    return denied(whole.intent, isDisguised ? "denied-in-disguise" : "denied-in-message");
  }
  if (clause === undefined || clause.chance < threshold) return undefined;
  return denied(clause.intent, isDisguised ? "denied-in-disguise" : "denied-in-clause");
}

/** The first reading that matches as a whole, as written before undisguised ones; or else the clearest part of the message. */
function matched(judged: JudgedMessage, threshold: number): Match | undefined {
  const whole = readingsOf(judged).find(({ classification }) => isMatch(classification, threshold));
  if (whole !== undefined) return [whole.classification, "best-intent"];
  const { clearestClause } = judged;
  return clearestClause !== undefined && isMatch(clearestClause, threshold)
    ? [clearestClause, "clearest-clause"]
    : undefined;
}

function isUnclear(judged: JudgedMessage, threshold: number): boolean {
  const suspicions = readingsOf(judged).flatMap(({ whole, clause }) => [whole, clause]);
  return suspicions.some((suspicion) => suspicion !== undefined && suspicion.chance >= threshold);
}

function unmatched(
  rule: DecisionRule,
  classification: Classification,
  profile: CompiledProfile,
): Restriction {
  return {
    kind: "restricted",
    reason: "no_intent_match",
    rule,
    suggestions: closestAllowed(classification, profile),
  };
}

/** An intent of an earlier turn, if it is allowed, and still there: the bot may have been seeded anew in between. */
function takenUp(
  intent: IntentName | undefined,
  { intents }: GovernancePolicy,
  profile: CompiledProfile,
): Permission | undefined {
  if (intent === undefined || !intents.includes(intent) || profile.standingOf(intent) !== "allowed") {
    return undefined;
  }
  return { kind: "allowed", intent, rule: "follow-up" };
}

/** What counts when nothing matched: the conversation's intent for a follow-up, the default intent, or none. */
function withoutMatch({ judged, policy, previous }: DecisionInput, profile: CompiledProfile): Decision {
  const followUp = takenUp(inheritedIntent(judged, previous), policy, profile);
  if (followUp !== undefined) return followUp;
  if (policy.defaultIntent !== undefined) return byProfile(policy.defaultIntent, "default-intent", profile);
  return unmatched("no-match", judged.plain.classification, profile);
}

/** What the message asks for, whether or not a denied intent shows in it: what it says yes to, what it matched, or what counts without a match. */
function asked(input: DecisionInput, match: Match | undefined, profile: CompiledProfile): Decision {
  const agreed = takenUp(agreedIntent(input.judged, input.previous), input.policy, profile);
  if (agreed !== undefined) return agreed;
  if (match === undefined) return withoutMatch(input, profile);
  const [classification, rule] = match;
  return byProfile(classification.scores[0]!.intent, rule, profile);
}

function enforce(input: DecisionInput): Decision {
  const { judged, policy } = input;
  const { profile, thresholds } = policy;
  for (const reading of readingsOf(judged)) {
    const denial = denialIn(reading, thresholds.deny);
    if (denial !== undefined) return denial;
  }
  const match = matched(judged, thresholds.match);
  const decision = asked(input, match, profile);
  const unclearShare = decision.kind === "allowed" ? UNCLEAR_SHARES[decision.rule] : undefined;
  return match && unclearShare !== undefined && isUnclear(judged, thresholds.deny * unclearShare)
    ? unmatched("unclear", match[0], profile)
    : decision;
}

/** Answers as if every intent were allowed, and says what enforcement would have done. */
function observe(input: DecisionInput): Decision {
  const { judged, policy } = input;
  const observed = asked(input, matched(judged, policy.thresholds.match), OPEN_PROFILE);
  const enforced = enforce(input);
  if (observed.kind === "restricted" || enforced.kind === "allowed") return observed;
  return { ...observed, wouldRestrict: enforced };
}

/**
 * May this bot speak to this message (decisions §7)? A denied intent that is plausible in any part and any reading of the message
 * denies it. Otherwise the first of these counts: a yes to the question which intent was meant; the best intent, if it matched; the
 * conversation's intent, for a follow-up; the default intent. Pure.
 */
export function decide(input: DecisionInput): Decision {
  return input.policy.mode === "observe" ? observe(input) : enforce(input);
}
