import { type BotDocument, withBotName } from "../domain/bot.ts";
import type { PastTurn } from "../domain/conversation.ts";
import type { IntentName } from "../domain/ids.ts";

/** A bot's scripted answers, `{botName}` replaced. */
export interface Script {
  responses: ReadonlyMap<IntentName, readonly string[]>;
  withoutResponses: string;
}

export interface ScriptedAnswer {
  text: string;
  /** Which of the intent's responses; absent if the intent has none. */
  responseIndex?: number;
}

/** @param noAnswerYet the answer for an allowed intent that has no responses, in a bot without a `fallbackResponse`. */
export function compileScript(bot: BotDocument, noAnswerYet: string): Script {
  const responses = new Map<IntentName, readonly string[]>();
  for (const { name, responses: texts } of bot.intents ?? []) {
    if (!texts) continue;
    responses.set(
      name,
      texts.map((text) => withBotName(text, bot.name)),
    );
  }
  return { responses, withoutResponses: bot.fallbackResponse ?? noAnswerYet };
}

/** The intent's response after the one that the conversation was shown last; the first one in a new conversation. */
export function answerFromScript(
  script: Script,
  intent: IntentName,
  turns: readonly PastTurn[],
): ScriptedAnswer {
  const responses = script.responses.get(intent);
  if (!responses) return { text: script.withoutResponses };
  const last = turns.findLast((turn) => turn.intent === intent && turn.responseIndex !== undefined);
  const responseIndex = last?.responseIndex === undefined ? 0 : (last.responseIndex + 1) % responses.length;
  return { text: responses[responseIndex] ?? script.withoutResponses, responseIndex };
}
