import type { PastTurn } from "../../domain/conversation.ts";
import type { EpochMs } from "../../domain/time.ts";
import type { DecisionInput } from "../../governance/decide.ts";

/** What a decision may take from the turn before it; nothing in the first turn of a conversation. */
export function previousTurn(turns: readonly PastTurn[], now: EpochMs): Pick<DecisionInput, "previous"> {
  const last = turns.at(-1);
  if (!last) return {};
  const { intent, capabilityAllowed, state, at, response, suggestions = [] } = last;
  return {
    previous: {
      ...(intent !== undefined && { intent }),
      offered: state === "complete" ? suggestions : [],
      asks: /[?？؟]\s*$/u.test(response),
      wasAllowed: capabilityAllowed && state === "complete",
      ageMs: now - at,
    },
  };
}
