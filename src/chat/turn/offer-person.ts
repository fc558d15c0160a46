import type { BotDocument } from "../../domain/bot.ts";
import type { PastTurn } from "../../domain/conversation.ts";
import type { Decision } from "../../domain/decision.ts";
import { offersPersonWhen } from "../../domain/handoff.ts";
import type { JudgedMessage } from "../../governance/judged-message.ts";
import { socialIntentOf } from "../../governance/social-policy.ts";

/**
 * Whether a turn offers a person to its visitor: where the profile refused, where nothing was understood for the second time in a row, where
 * the answer was given just before, where the visitor or the intent asks for one, or where the visitor says that an answer was wrong, or
 * gives data that nothing looks up. Pure.
 */
export function offersPerson(
  { handoff, intents = [] }: Pick<BotDocument, "handoff" | "intents">,
  decision: Decision,
  { asksForPerson }: Pick<JudgedMessage, "asksForPerson">,
  turns: readonly PastTurn[],
): boolean {
  if (decision.kind === "restricted" && decision.reason !== "no_intent_match") {
    return offersPersonWhen(handoff, "refused");
  }
  const isAsked =
    asksForPerson === true ||
    decision.intent === socialIntentOf("person") ||
    intents.some((one) => one.name === decision.intent && one.handoff);
  if (isAsked && offersPersonWhen(handoff, "asked")) return true;
  if (decision.intent === socialIntentOf("repair") || decision.rule === "data") {
    return offersPersonWhen(handoff, "asked") || offersPersonWhen(handoff, "not_understood_twice");
  }
  if (decision.kind === "allowed") return false;
  const isStuck = decision.rule === "said-before" || wasNotUnderstood(turns.at(-1));
  return isStuck && offersPersonWhen(handoff, "not_understood_twice");
}

/** A refusal names its intent, unless a term or a pattern denied it; then the visitor was offered a person before. */
function wasNotUnderstood(turn: PastTurn | undefined): boolean {
  return turn?.state === "complete" && !turn.capabilityAllowed && turn.intent === undefined;
}
