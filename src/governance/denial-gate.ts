import {
  type DecisionRule,
  type DecisionThresholds,
  type DeniedBy,
  type Restriction,
} from "../domain/decision.ts";
import { type IntentName } from "../domain/ids.ts";
import { LEANS } from "./follow-up/leaning.ts";
import { type JudgedMessage, type JudgedReading, ownReadingsOf, type Suspicion } from "./judged-message.ts";
import { type GovernancePolicy } from "./policy.ts";

/** Probability below which a message is hardly ever denied correctly, by meaning. Chosen by hand. */
const HARDLY_DENIED = 0.1;
const CONTESTED_SHARE = 1.5;
/**
 * "Who are you?" resembles "are you better than others?" but must not be denied for that; such a denial needs this probability. Chosen by
 * hand.
 */
const DENIED_FOR_SURE = 0.65;

function denied(intent: IntentName, rule: DecisionRule): Restriction {
  return { kind: "restricted", reason: "DENY_LIST", intent, rule, suggestions: [] };
}

/** A term or pattern denies a message whatever its intent, so no intent is named. */
export function deniedByRule(deniedBy: DeniedBy): Restriction {
  const rule = "term" in deniedBy ? "deny-term" : "deny-pattern";
  return { kind: "restricted", reason: "DENY_LIST", rule, deniedBy, suggestions: [] };
}

function denialIn({ reading, whole, clause }: JudgedReading, threshold: number): Restriction | undefined {
  const isDisguised = reading === "undisguised";
  if (whole !== undefined && whole.chance >= threshold) {
    return denied(whole.intent, isDisguised ? "denied-in-disguise" : "denied-in-message");
  }
  if (clause === undefined || clause.chance < threshold) return undefined;
  return denied(clause.intent, isDisguised ? "denied-in-disguise" : "denied-in-clause");
}

/**
 * Minimum probability at which a message is denied. If its meaning clearly contradicts that, one and a half times as much is needed; a
 * message in between is unclear, and is not answered either.
 */
function denyThresholdFor({ deniedByOthers = 1 }: JudgedMessage, { deny }: DecisionThresholds): number {
  return deniedByOthers < HARDLY_DENIED ? Math.min(1, CONTESTED_SHARE * deny) : deny;
}

/**
 * The first denial in any reading. Small talk alone is no request, and a message that surely asks for something allowed must not be denied
 * by a resemblance: both are denied only if denial is all but certain.
 */
export function denialOf(
  judged: JudgedMessage,
  policy: GovernancePolicy,
  isAcquitted: boolean,
): Restriction | undefined {
  const isSocial = policy.social !== undefined && judged.social !== undefined;
  const least = isSocial || isAcquitted ? DENIED_FOR_SURE : 0;
  const threshold = Math.max(denyThresholdFor(judged, policy.thresholds), least);
  const { leans = 1 } = judged.inContext ?? {};
  for (const reading of ownReadingsOf(judged)) {
    // A message that hardly depends on a refused request does not continue it.
    const isDoubtful = reading === judged.inContext && leans < LEANS;
    const denial = denialIn(reading, isDoubtful ? (threshold * LEANS) / leans : threshold);
    if (denial !== undefined) return denial;
  }
  return undefined;
}

/** Whether something denied is plausible from `threshold` on, even if its probability is too low to deny the message. */
export function isUnclear(judged: JudgedMessage, threshold: number): boolean {
  const isSuspicious = (suspicion: Suspicion | undefined): boolean =>
    suspicion !== undefined && suspicion.chance >= threshold;
  // After a refused message, every message gets some of its suspicion; this counts only if the message depends on the refused one.
  const { plain, undisguised, inContext } = judged;
  const readings = inContext && inContext.leans >= LEANS ? [inContext] : [];
  return [plain, ...undisguised, ...readings].some(
    ({ whole, clause }) => isSuspicious(whole) || isSuspicious(clause),
  );
}

/**
 * Minimum shares of the deny threshold at which a denied intent prevents an answer without denying the message. If only a part of the
 * message matches, the rest is unknown, so a lower share applies. Lower shares restrict more smuggled requests and answer fewer allowed
 * ones; chosen by `bun test/bench/governance/run.ts tuning` for both. For two questions 0.15 and 0.2 give the same result (23 November
 * 2026), but with 0.15 a word between the two ("also") prevents answers of a small bot.
 */
export const UNCLEAR_SHARES: Partial<Record<DecisionRule, number>> = {
  "best-intent": 0.37,
  "clearest-clause": 0.15,
  "two-questions": 0.2,
  // A reference to earlier messages does not make it less of a request.
  "follow-up": 0.37,
};

/** A denied intent below this share of the deny threshold does not affect any decision. */
export const MIN_UNCLEAR_SHARE = Math.min(...Object.values(UNCLEAR_SHARES));

/** Factor for the odds of the deny threshold and the odds that documents answer. */
const UNCLEAR_ODDS = 0.083;

/**
 * Minimum probability of a denied intent at which documents do not answer: the more certain the documents, the higher it is. On fourteen
 * bots that the encoder has not seen, with each intent denied in turn, one of ten denied requests is answered from documents with or
 * without it; 8 instead of 11 % of document answers become clarifying questions, and 39 instead of 47 % for a bot of three intents. @param
 * confidence the probability that documents answer.
 */
export function unclearBesideDocuments(denyThreshold: number, confidence: number): number {
  const odds = UNCLEAR_ODDS * oddsOf(denyThreshold) * oddsOf(confidence);
  return 1 / (1 + 1 / odds);
}

function oddsOf(chance: number): number {
  return chance / (1 - chance);
}
