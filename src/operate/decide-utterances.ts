import type { UnderstandingBot } from "../bots/understanding-bot.ts";
import type { Understand } from "../bots/understanding.ts";
import { type DecisionRule, isMatch, type RestrictionReason } from "../domain/decision.ts";
import type { IntentName } from "../domain/ids.ts";
import type { Standing } from "../domain/intent-pattern.ts";
import { decide } from "../governance/decide.ts";
import { judgeMessage } from "../governance/judge-message.ts";
import { type JudgedMessage, readingsOf } from "../governance/judged-message.ts";
import type { GovernancePolicy } from "../governance/policy.ts";
import type { LabelledUtterance, Prediction } from "./evaluate.ts";
import type { Slices } from "./slices.ts";

/** What may come of a message: it is answered, or the reason why not. */
export type DecisionName = "allowed" | RestrictionReason;

/** A text, the intent it should get, and what should come of it. */
export interface TestUtterance extends LabelledUtterance {
  /** Absent: what follows from intent and capability profile. */
  decision?: DecisionName;
}

/** What the bot made of an utterance. */
export interface DecidedUtterance extends Prediction {
  expectedDecision: DecisionName;
  gotDecision: DecisionName;
  /** The intent that the decision is about; null: none. */
  decidedIntent: string | null;
  /** The intents that were asked about, where nothing matched. */
  suggestions: readonly string[];
  rule: DecisionRule;
  /** Of the intent that the decision is about, 0–1, that it is asked for; where there is none, of the best intent. */
  chance: number;
}

const DECISION_OF: Record<Standing, DecisionName> = {
  allowed: "allowed",
  denied: "DENY_LIST",
  unlisted: "NOT_IN_ALLOW_LIST",
};

/**
 * Judges and decides each utterance as the first turn of a conversation; in observe mode, too, as enforcement would.
 * @param slices where visitors wait for this thread; absent in a command.
 */
export async function decideUtterances(
  bot: UnderstandingBot,
  utterances: readonly TestUtterance[],
  { understand, slices }: { understand: Understand; slices?: Slices },
): Promise<DecidedUtterance[]> {
  const enforcing = enforcingBot(bot);
  const decided: DecidedUtterance[] = [];
  for (const utterance of utterances) {
    const judged = judgeMessage(utterance.text, enforcing.classifier, enforcing.policy);
    decided.push(decidedAs(utterance, await understand(enforcing, judged), enforcing.policy));
    await slices?.pause();
  }
  return decided;
}

function enforcingBot({ classifier, policy, sentences }: UnderstandingBot): UnderstandingBot {
  return { classifier, policy: { ...policy, mode: "enforce" }, sentences };
}

function decidedAs(
  { text, intent, decision }: TestUtterance,
  judged: JudgedMessage,
  policy: GovernancePolicy,
): DecidedUtterance {
  const { classification } = judged.plain;
  const { scores, inScope, confidence } = classification;
  const got = scores[0]?.intent ?? null;
  const made = decide({ judged, policy });
  return {
    text,
    expected: intent,
    got,
    inScope,
    confidence,
    isAccepted: isMatch(classification, policy.thresholds.match),
    expectedDecision: decision ?? decisionFor(intent, policy),
    gotDecision: made.kind === "allowed" ? "allowed" : made.reason,
    decidedIntent: made.intent ?? null,
    suggestions: made.kind === "restricted" ? made.suggestions.map(({ intent: offered }) => offered) : [],
    rule: made.rule,
    chance: chanceOf(made.intent, judged),
  };
}

/** The greatest chance of an intent in any reading of the message, or in a part of it. */
function chanceOf(intent: IntentName | undefined, judged: JudgedMessage): number {
  const { plain, clearestClause } = judged;
  if (intent === undefined) return plain.classification.confidence;
  const scores = [clearestClause, ...readingsOf(judged).map(({ classification }) => classification)]
    .flatMap((classification) => classification?.scores ?? [])
    .map(({ intent: scored, confidence }) => ({ intent: scored, chance: confidence }));
  const suspicions = readingsOf(judged).flatMap(({ whole, clause }) => [whole, clause]);
  const chances = [...scores, ...suspicions].map((found) => (found?.intent === intent ? found.chance : 0));
  return Math.max(0, ...chances);
}

function decisionFor(intent: string | null, { profile, defaultIntent }: GovernancePolicy): DecisionName {
  const counted = intent ?? defaultIntent;
  return counted === undefined ? "no_intent_match" : DECISION_OF[profile.standingOf(counted)];
}
