import type { PastTurn } from "../../domain/conversation.ts";
import type { EpochMs } from "../../domain/time.ts";
import type { DecisionInput } from "../../governance/decide.ts";
import type { BotTexts } from "../../texts/bot-texts.ts";

/** What a decision may take from the turn before it; nothing in the first turn of a conversation. */
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
 * Whether a yes or no answers the turn. The question at the end of a courtesy ("Is there anything else?") or of a refusal ("Could you say
 * it in other words?") is none that "no" leaves open.
 */
function asksForReply({ intent, capabilityAllowed, response, suggestions = [] }: PastTurn): boolean {
  const isAnswer = capabilityAllowed && intent?.startsWith("social.") !== true;
  return /[?？؟]\s*$/u.test(response) && (isAnswer || suggestions.length > 0);
}

/** Whether the last turn asked whether to pass on what was given. */
export function asksToPassOn(texts: BotTexts, turns: readonly PastTurn[]): boolean {
  const last = turns.at(-1);
  if (last === undefined || last.state !== "complete" || last.intent !== undefined) return false;
  return last.response.endsWith(texts.say("dataPassOn"));
}
