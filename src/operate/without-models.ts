import type { BotDocument } from "../domain/bot.ts";
import type { KnowledgeSettings } from "../domain/knowledge.ts";

/** The same bot, answering and deciding by itself: evaluating it costs nothing, and comes to the same every time. */
export function withoutModels({
  responder: _,
  classifier,
  intents,
  knowledge,
  ...bot
}: BotDocument): BotDocument {
  const { embeddings: _embeddings, judge: _judge, ...thresholds } = classifier ?? {};
  return {
    ...bot,
    classifier: thresholds,
    ...(knowledge && { knowledge: answeredByItself(knowledge) }),
    ...(intents && { intents: intents.map(({ responder: _responder, ...intent }) => intent) }),
  };
}

/** The documents' own sentences answer. */
function answeredByItself(knowledge: KnowledgeSettings): KnowledgeSettings {
  return Array.isArray(knowledge) ? knowledge : { ...knowledge, answer: "extract" };
}
