import type { BotDocument } from "../../domain/bot.ts";
import type { PastTurn } from "../../domain/conversation.ts";
import type { Decision } from "../../domain/decision.ts";
import { HANDOFF_OFFERS } from "../../domain/handoff.ts";

/**
 * Whether a turn offers a person to its visitor: where the profile refused, where nothing was understood for the second time in a row, or
 * where the intent asks for one. Pure.
 */
export function offersPerson(
  { handoff, intents = [] }: Pick<BotDocument, "handoff" | "intents">,
  decision: Decision,
  turns: readonly PastTurn[],
): boolean {
  if (handoff === undefined) return false;
  const { offer = HANDOFF_OFFERS } = handoff;
  if (decision.kind === "allowed") {
    return offer.includes("asked") && intents.some((one) => one.name === decision.intent && one.handoff);
  }
  if (decision.reason !== "no_intent_match") return offer.includes("refused");
  return offer.includes("not_understood_twice") && wasNotUnderstood(turns.at(-1));
}

/** A refusal names its intent, unless a term or a pattern denied it; then the visitor was offered a person before. */
function wasNotUnderstood(turn: PastTurn | undefined): boolean {
  return turn?.state === "complete" && !turn.capabilityAllowed && turn.intent === undefined;
}
