import type { PastTurn } from "../../domain/conversation.ts";
import type { EpochMs } from "../../domain/time.ts";
import type { DecisionInput } from "../../governance/decide.ts";
import type { BotTexts } from "../../texts/bot-texts.ts";

/** The previous turn's facts that a decision uses; empty for the first turn of a conversation. */
export function previousTurn(turns: readonly PastTurn[], now: EpochMs): Pick<DecisionInput, "previous"> {
  const last = turns.at(-1);
  if (!last) return {};
  const { intent, capabilityAllowed, state, at, suggestions = [] } = last;
  return {
    previous: {
      ...(intent !== undefined && { intent }),
      offered: state === "complete" ? suggestions : [],
      asks: asksForReply(last),
      wasAllowed: capabilityAllowed && state === "complete",
      ageMs: now - at,
    },
  };
}

/**
 * Whether a yes or no answers the turn. A "no" does not answer the question at the end of a courtesy ("Is there anything else?") or of a
 * refusal ("Could you say it in other words?").
 */
function asksForReply({ intent, capabilityAllowed, response, suggestions = [] }: PastTurn): boolean {
  const isAnswer = capabilityAllowed && intent?.startsWith("social.") !== true;
  return /[?？؟]\s*$/u.test(response) && (isAnswer || suggestions.length > 0);
}

/** Whether the last turn offered to pass the given data on. */
export function asksToPassOn(texts: BotTexts, turns: readonly PastTurn[]): boolean {
  const last = turns.at(-1);
  if (last === undefined || last.state !== "complete" || last.intent !== undefined) return false;
  return last.response.endsWith(texts.say("dataPassOn"));
}
