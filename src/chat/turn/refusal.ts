import type { LoadedBot } from "../../bots/loaded-bot.ts";
import type { NextStep } from "../../domain/chat.ts";
import type { PastTurn } from "../../domain/conversation.ts";
import type { Decision, Permission, Restriction } from "../../domain/decision.ts";
import type { GovernancePolicy } from "../../governance/policy.ts";
import { socialIntentOf } from "../../governance/social-policy.ts";
import { givenDataIn } from "../../text/given-data.ts";
import type { BotTexts } from "../../texts/bot-texts.ts";
import { denyRuleIn } from "./decide-turn.ts";

/** Whether the bot has neither an answer nor a clarifying question. */
export function hasNothing(decision: Decision): boolean {
  return decision.rule === "no-match" && (decision.suggestions ?? []).length === 0;
}

/**
 * The response if the bot has no answer: says so, but not twice in a row in the same words; lists its abilities once; and mentions
 * that a person can be asked for, if one is offered. The bot file's own text is used alone. Pure.
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
 * The response to a complaint about an answer: an apology, once; suggestions of other intents, otherwise a request to rephrase; and the
 * offer of a person, if there is one. Never the text of the previous turn. Pure.
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
 * The response to a message that only contains data: that the bot cannot look them up, with the offer to pass them on to a person, if there is one.
 * It repeats a number unless the profile denies such data. Pure.
 */
export function answerGivenData(bot: LoadedBot, input: string, isPersonOffered: boolean): string {
  const { texts } = bot.policy;
  const named = givenDataIn(input)?.named;
  const isNamed = named !== undefined && denyRuleIn(bot, [named]) === undefined;
  const said = isNamed ? texts.say("dataNamed", { data: named }) : texts.say("dataGiven");
  return isPersonOffered ? `${said} ${texts.say("dataPassOn")}` : said;
}
