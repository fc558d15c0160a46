import type { BotDocument } from "../domain/bot.ts";
import type { KnowledgeSettings } from "../domain/knowledge.ts";

/** The same bot without model servers: evaluating it costs nothing and always has the same result. */
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

/** Documents answer in their own sentences. */
function answeredByItself(knowledge: KnowledgeSettings): KnowledgeSettings {
  return Array.isArray(knowledge) ? knowledge : { ...knowledge, answer: "extract" };
}
