import { isInDoubt } from "../../chat/turn/read-by-model.ts";
import type { BotDocument } from "../../domain/bot.ts";
import { KNOWLEDGE_INTENT } from "../../domain/ids.ts";
import type { TryResult } from "../../domain/operator/conversations.ts";
import { knowledgeResponderFor } from "../../domain/responder.ts";
import type { RehearsedTurn } from "../rehearsal.ts";

/** The purposes for which model servers would be asked in a turn decided without them. Pure. */
export function wouldAsk(document: BotDocument, turn: RehearsedTurn): NonNullable<TryResult["wouldAsk"]> {
  if (!turn.isForModels) return [];
  return [
    ...(asksAboutIntent(document, turn) ? (["intent"] as const) : []),
    ...(asksForWords(document, turn) ? (["answer"] as const) : []),
  ];
}

/** Embeddings are always requested; the judge only in doubt. Embeddings can create or remove that doubt. */
function asksAboutIntent({ classifier = {} }: BotDocument, { receipt }: RehearsedTurn): boolean {
  return classifier.embeddings !== undefined || isInDoubt(classifier, receipt);
}

/** Without a model, documents answer in their own sentences. */
function asksForWords(document: BotDocument, { answer, past, receipt }: RehearsedTurn): boolean {
  if (past.state === "unanswered") return true;
  const isFromDocuments = answer.intentDetected === KNOWLEDGE_INTENT && receipt.rule === "knowledge";
  return isFromDocuments && knowledgeResponderFor(document) !== undefined;
}
