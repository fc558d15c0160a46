import type { DecisionReceipt, PartScores } from "../domain/decision.ts";
import type { ReasonedDecision } from "../governance/decide.ts";
import type { JudgedMessage, JudgedPart } from "../governance/judge-message.ts";
import type { LoadedBot } from "../loaded-bot.ts";

const SCORES_KEPT = 5;

/** What is kept of a decision (decisions §9): no text of the message, and none of the answer. */
export function receiptOf(
  bot: LoadedBot,
  { message }: JudgedMessage,
  { decision, decidedBy }: ReasonedDecision,
  stagesMs: Record<string, number>,
): DecisionReceipt {
  const parts = decidedBy === message ? [message] : [message, decidedBy];
  return {
    botVersion: bot.version,
    thresholds: bot.policy.thresholds,
    rule: decision.rule,
    parts: parts.map(scoresOf),
    ...(decision.kind === "allowed" && decision.wouldRestrict && { wouldRestrict: decision.wouldRestrict }),
    stagesMs,
  };
}

function scoresOf({ classification, ...place }: JudgedPart): PartScores {
  return { ...place, scores: classification.scores.slice(0, SCORES_KEPT) };
}
