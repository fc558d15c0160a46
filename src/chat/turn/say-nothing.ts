import type { NextStep } from "../../domain/chat.ts";
import type { PastTurn } from "../../domain/conversation.ts";
import type { Decision } from "../../domain/decision.ts";
import type { BotTexts } from "../../texts/bot-texts.ts";

/** Whether the bot has nothing on a message, and nothing near it to ask about. */
export function hasNothing(decision: Decision): boolean {
  return decision.rule === "no-match" && (decision.suggestions ?? []).length === 0;
}

/**
 * What is said to a message that the bot has nothing on: that, and not twice in a row in the same words; once, what it can do, as a list; and that a
 * person can be asked for, where one is offered. The bot file's own wording stands alone. Pure.
 */
export function sayNothing(
  texts: BotTexts,
  {
    next,
    turns,
    isPersonOffered,
  }: { next: readonly NextStep[]; turns: readonly PastTurn[]; isPersonOffered: boolean },
): string {
  const text = texts.say("no_intent_match");
  const isAgain = turns.at(-1)?.response.includes(text) === true;
  if (texts.isOwn("no_intent_match")) return isAgain ? texts.say("nothingMore") : text;
  const person = isPersonOffered ? ` ${texts.say("repairPerson")}` : "";
  if (isAgain) return texts.say("nothingMore") + person;
  const list =
    next.length === 0 ? [] : ["", texts.say("social.help"), ...next.map(({ label }) => `- ${label}`)];
  return [text + person, ...list].join("\n");
}
