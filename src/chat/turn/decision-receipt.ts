import type { LoadedBot } from "../../bots/loaded-bot.ts";
import type { Decision, DecisionEvidence, DecisionReceipt, ReadingScores } from "../../domain/decision.ts";
import { evidenceOf } from "../../governance/judge-message.ts";
import type { JudgedMessage } from "../../governance/judged-message.ts";

/** What is kept of a decision (decisions §9): no text of the message, and none of the answer. */
export function receiptOf(
  bot: LoadedBot,
  judged: JudgedMessage,
  decision: Decision,
  stagesMs: Record<string, number>,
): DecisionReceipt {
  return {
    botVersion: bot.version,
    rule: decision.rule,
    ...(decision.kind === "restricted" && decision.deniedBy && { deniedBy: decision.deniedBy }),
    ...inShort(evidenceOf(judged, bot.policy)),
    ...(decision.suggestions !== undefined &&
      decision.suggestions.length > 0 && { suggestions: decision.suggestions }),
    ...(decision.kind === "allowed" && decision.alsoIntents && { alsoIntents: decision.alsoIntents }),
    ...(decision.kind === "allowed" && decision.wouldRestrict && { wouldRestrict: decision.wouldRestrict }),
    stagesMs,
  };
}

/** Chances are kept to the millionth: written in full, their digits would be a third of what a turn takes on disk. */
function inShort({ thresholds, readings }: DecisionEvidence): DecisionEvidence {
  return { thresholds, readings: readings.map(inMillionths) };
}

function inMillionths({
  reading,
  leans,
  about,
  scores,
  inScope,
  denied,
  clause,
}: ReadingScores): ReadingScores {
  return {
    reading,
    ...(leans !== undefined && { leans: toMillionth(leans) }),
    ...(about && { about }),
    scores: scores.map(({ intent, confidence }) => ({ intent, confidence: toMillionth(confidence) })),
    inScope: toMillionth(inScope),
    denied: toMillionth(denied),
    ...(clause && { clause: { ...clause, denied: toMillionth(clause.denied) } }),
  };
}

function toMillionth(chance: number): number {
  return Math.round(chance * 1e6) / 1e6;
}
