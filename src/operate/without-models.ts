import type { BotDocument } from "../domain/bot.ts";

/** The same bot, answering and deciding by itself: evaluating it costs nothing, and comes to the same every time. */
export function withoutModels({ responder: _, classifier, intents, ...bot }: BotDocument): BotDocument {
  const { embeddings: _embeddings, judge: _judge, ...thresholds } = classifier ?? {};
  return {
    ...bot,
    classifier: thresholds,
    ...(intents && { intents: intents.map(({ responder: _responder, ...intent }) => intent) }),
  };
}
