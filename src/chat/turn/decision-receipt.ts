import type { LoadedBot } from "../../bots/loaded-bot.ts";
import type { Decision, DecisionEvidence, DecisionReceipt, ReadingScores } from "../../domain/decision.ts";
import { evidenceOf } from "../../governance/judge-message.ts";
import type { JudgedMessage } from "../../governance/judged-message.ts";

/** The stored part of a decision, without text of the message or of the answer. */
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

/** Rounds probabilities to a millionth: all digits would be a third of a turn's size on disk. */
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
