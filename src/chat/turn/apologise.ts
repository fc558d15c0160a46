import type { PastTurn } from "../../domain/conversation.ts";
import type { Permission } from "../../domain/decision.ts";
import { socialIntentOf } from "../../governance/social-policy.ts";
import type { BotTexts } from "../../texts/bot-texts.ts";

/**
 * What is said to a visitor who says that an answer was wrong: an apology, once; what may be meant instead, or else the request to say it in
 * other words; and that a person can be asked for, where one is offered. Never the text of the turn before. Pure.
 */
export function apologise(
  texts: BotTexts,
  { suggestions = [] }: Pick<Permission, "suggestions">,
  turns: readonly PastTurn[],
  isPersonOffered: boolean,
): string {
  const choices = texts.list(suggestions.map(({ label }) => label));
  const rest = [
    suggestions.length > 0 ? texts.say("didYouMean", { choices }) : texts.say("repairInWords"),
    ...(isPersonOffered ? [texts.say("repairPerson")] : []),
  ].join(" ");
  const last = turns.at(-1);
  const isAgain = last?.intent === socialIntentOf("repair") && last.response !== rest;
  return isAgain ? rest : `${texts.say("social.repair")} ${rest}`;
}
