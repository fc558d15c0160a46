import type { BotDocument } from "../../domain/bot.ts";
import type { PastTurn } from "../../domain/conversation.ts";
import type { Decision } from "../../domain/decision.ts";
import { offersPersonWhen } from "../../domain/handoff.ts";
import type { JudgedMessage } from "../../governance/judged-message.ts";
import { socialIntentOf } from "../../governance/social-policy.ts";

/**
 * Whether a turn offers a person: after a refusal by the profile, after the second message in a row that was not understood, after a
 * repeated answer, if the visitor or the intent asks for one, after a complaint about an answer, and for data that the bot cannot look
 * up. Pure.
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

/** A refusal has an intent, unless a term or a pattern denied it; in that case the visitor was offered a person already. */
function wasNotUnderstood(turn: PastTurn | undefined): boolean {
  return turn?.state === "complete" && !turn.capabilityAllowed && turn.intent === undefined;
}
