import type {
  Classification,
  Decision,
  DecisionRule,
  IntentScore,
  Permission,
  Restriction,
} from "../domain/decision.ts";
import type { IntentName } from "../domain/ids.ts";
import { type CompiledProfile, OPEN_PROFILE } from "./capability-profile.ts";
import type { JudgedMessage, JudgedPart } from "./judge-message.ts";
import type { GovernancePolicy } from "./policy.ts";

/** The part of a message in which a denied intent is plausible. */
interface Denial {
  part: JudgedPart;
  intent: IntentName;
  rule: DecisionRule;
}

/** A decision, and the part of the message that settled it. */
export interface ReasonedDecision {
  decision: Decision;
  decidedBy: JudgedPart;
}

const MAX_SUGGESTIONS = 3;
/** A suggestion is worth making from here on, and not far behind the best one. */
const SUGGESTION_CONFIDENCE = 0.1;
const SUGGESTION_SHARE = 1 / 3;

function deniedMass({ scores }: Classification, profile: CompiledProfile): number {
  return scores.reduce(
    (mass, { intent, confidence }) => mass + (profile.standingOf(intent) === "denied" ? confidence : 0),
    0,
  );
}

function ruleOf(part: JudgedPart): DecisionRule {
  if (part.reading === "undisguised") return "denied-in-disguise";
  return part.part === "clause" ? "denied-in-clause" : "denied-in-message";
}

function denialIn(part: JudgedPart, { profile, thresholds }: GovernancePolicy): Denial | undefined {
  const threshold = part.part === "message" ? thresholds.deny : thresholds.denyClause;
  if (deniedMass(part.classification, profile) < threshold) return undefined;
  const best = part.classification.scores.find(({ intent }) => profile.standingOf(intent) === "denied");
  return best && { part, intent: best.intent, rule: ruleOf(part) };
}

function findDenial({ message, others }: JudgedMessage, policy: GovernancePolicy): Denial | undefined {
  for (const part of [message, ...others]) {
    const denial = denialIn(part, policy);
    if (denial !== undefined) return denial;
  }
  return undefined;
}

/** The closest allowed intents of a message that matched nothing well. */
function suggestionsFor({ scores }: Classification, profile: CompiledProfile): IntentName[] {
  const allowed = scores.filter(({ intent }) => profile.standingOf(intent) === "allowed");
  const atLeast = Math.max(SUGGESTION_CONFIDENCE, (allowed[0]?.confidence ?? 0) * SUGGESTION_SHARE);
  return allowed
    .filter(({ confidence }) => confidence >= atLeast)
    .slice(0, MAX_SUGGESTIONS)
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

function bestMatch({ scores }: Classification, threshold: number): IntentScore | undefined {
  const best = scores[0];
  return best !== undefined && best.confidence >= threshold ? best : undefined;
}

function enforce(judged: JudgedMessage, policy: GovernancePolicy): ReasonedDecision {
  const { profile, thresholds, defaultIntent } = policy;
  const { message } = judged;
  const denial = findDenial(judged, policy);
  if (denial !== undefined) {
    return { decision: byProfile(denial.intent, denial.rule, profile), decidedBy: denial.part };
  }
  const best = bestMatch(message.classification, thresholds.match);
  if (best !== undefined) {
    return { decision: byProfile(best.intent, "best-intent", profile), decidedBy: message };
  }
  if (defaultIntent !== undefined) {
    return { decision: byProfile(defaultIntent, "default-intent", profile), decidedBy: message };
  }
  const suggestions = suggestionsFor(message.classification, profile);
  return {
    decision: { kind: "restricted", reason: "no_intent_match", rule: "no-match", suggestions },
    decidedBy: message,
  };
}

/** Answers as if every intent were allowed, and says what enforcement would have done. */
function observe(judged: JudgedMessage, policy: GovernancePolicy): ReasonedDecision {
  const observed = enforce(judged, { ...policy, profile: OPEN_PROFILE });
  const { decision, decidedBy } = enforce(judged, policy);
  if (observed.decision.kind === "restricted" || decision.kind === "allowed") return observed;
  return { decision: { ...observed.decision, wouldRestrict: decision }, decidedBy };
}

/**
 * May this bot speak to this message (decisions §7)? Deny wins over everything, wherever in the message a denied intent
 * is plausible; then the message's best intent counts if it matched, then the default intent. Pure.
 */
export function decide(judged: JudgedMessage, policy: GovernancePolicy): ReasonedDecision {
  return policy.mode === "observe" ? observe(judged, policy) : enforce(judged, policy);
}
