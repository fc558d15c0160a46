import type { LoadedBot } from "../../bots/loaded-bot.ts";
import type { Decision, DecisionReceipt } from "../../domain/decision.ts";
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
    ...evidenceOf(judged, bot.policy),
    ...(decision.suggestions !== undefined &&
      decision.suggestions.length > 0 && { suggestions: decision.suggestions }),
    ...(decision.kind === "allowed" && decision.alsoIntents && { alsoIntents: decision.alsoIntents }),
    ...(decision.kind === "allowed" && decision.wouldRestrict && { wouldRestrict: decision.wouldRestrict }),
    stagesMs,
  };
}
