import type { LoadedBot } from "../../bots/loaded-bot.ts";
import { givenDataIn } from "../../text/given-data.ts";
import { denyRuleIn } from "./decide-turn.ts";

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
