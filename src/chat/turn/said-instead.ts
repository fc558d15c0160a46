import type { LoadedBot } from "../../bots/loaded-bot.ts";
import type { NextStep } from "../../domain/chat.ts";
import type { PastTurn } from "../../domain/conversation.ts";
import type { Decision, Permission, Restriction } from "../../domain/decision.ts";
import type { GovernancePolicy } from "../../governance/policy.ts";
import { socialIntentOf } from "../../governance/social-policy.ts";
import { givenDataIn } from "../../text/given-data.ts";
import type { BotTexts } from "../../texts/bot-texts.ts";
import { denyRuleIn } from "./decide-turn.ts";

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

/** The text instead of an answer: the refusal for the reason, or a clarifying question if allowed intents are close. */
export function refusalText({ reason, rule, suggestions }: Restriction, { texts }: GovernancePolicy): string {
  if (rule === "no-choice") return texts.say("noneChosen");
  if (rule === "said-before") return texts.say("nothingMore");
  if (reason !== "no_intent_match" || suggestions.length === 0) return texts.say(reason);
  return texts.say("didYouMean", { choices: texts.list(suggestions.map(({ label }) => label)) });
}

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

/**
 * What is said to a visitor who gives data: that nothing looks them up, and whether to pass them on where a person is offered. A number is named, unless
 * the profile denies such data. Pure.
 */
export function answerGivenData(bot: LoadedBot, input: string, isPersonOffered: boolean): string {
  const { texts } = bot.policy;
  const named = givenDataIn(input)?.named;
  const isNamed = named !== undefined && denyRuleIn(bot, [named]) === undefined;
  const said = isNamed ? texts.say("dataNamed", { data: named }) : texts.say("dataGiven");
  return isPersonOffered ? `${said} ${texts.say("dataPassOn")}` : said;
}
