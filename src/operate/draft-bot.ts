import type { BotKnowledge } from "../bots/bot-knowledge.ts";
import { LoadedBot } from "../bots/loaded-bot.ts";
import type { BotDocument } from "../domain/bot.ts";
import { openIntentModel, openSentenceModel } from "../intent/classifier.ts";
import type { BotKey, TrainedModel } from "../store/interface/bots.ts";

/** Key of a bot that is only examined; nothing is stored under it. */
const UNSTORED = 0 as BotKey;

/** A bot in memory without visitors. */
export function draftBot(
  document: BotDocument,
  version: number,
  { model, sentences }: TrainedModel,
  knowledge: BotKnowledge,
): LoadedBot {
  const meaning = sentences && openSentenceModel(sentences);
  return new LoadedBot(
    { key: UNSTORED, id: document.id, version, document },
    { classifier: openIntentModel(model), findSentences: () => meaning },
    knowledge,
  );
}
