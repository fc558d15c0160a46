import type { ChatMetadata } from "../../domain/chat.ts";
import type { Turn, TurnState } from "../../domain/conversation.ts";
import type { KnowledgeReceipt } from "../../domain/decision.ts";
import { ENCODER_VERSION } from "../../intent/classifier.ts";
import { handoffOffer } from "../../text/given-data.ts";
import { type Answer, freeAnswer } from "./answer.ts";
import type { ConsultedKnowledge } from "./decide-turn.ts";
import type { DecidedMessage } from "./decided-message.ts";
import { receiptOf } from "./decision-receipt.ts";
import type { ModelCosts } from "./model-costs.ts";
import { nextSteps } from "./next-steps.ts";
import { offersPerson } from "./offer-person.ts";
import { subjectOfTurn } from "./subject-of-turn.ts";

/** A turn as it is stored. */
export function turnOf(
  decided: DecidedMessage,
  { state, answer }: { state: TurnState; answer: Answer },
  { receipt: model }: ModelCosts,
): Turn {
  const { message, conversation, at, judged, understanding, decision } = decided;
  const { knowledge, candidates, assistance, standalone, stopwatch } = decided;
  const subject = state === "complete" ? subjectOfTurn(decided) : undefined;
  const { bot, requestId, input } = message;
  // Where no model answered, something is said only to offer a person.
  const isOffered =
    state === "unanswered"
      ? answer.response !== ""
      : offersPerson(bot.document, decision, judged, conversation.turns);
  const next =
    state === "complete"
      ? nextSteps(bot, decision, { input, headings: knowledge?.next, isPersonOffered: isOffered })
      : [];
  const offered: Pick<ChatMetadata, "handoff" | "next"> = {
    ...(next.length > 0 && { next }),
    ...(isOffered && { handoff: handoffOffer(decision.rule, input) }),
  };
  return {
    requestId,
    at,
    botVersion: bot.version,
    state,
    input,
    ...answer,
    metadata: { ...answer.metadata, ...offered },
    ...(decision.intent !== undefined && { intent: decision.intent }),
    ...(standalone !== undefined && { standalone }),
    ...(subject && { subject }),
    receipt: {
      ...receiptOf(bot, judged, decision, stopwatch.lapsMs),
      ...(next.length > 0 && { next }),
      ...(isOffered && { offersPerson: true }),
      ...(understanding && { understanding }),
      ...([understanding, assistance?.understanding, knowledge?.receipt.meaning].includes("used") && {
        encoder: ENCODER_VERSION,
      }),
      ...(knowledge && { knowledge: knowledgeReceiptOf(knowledge, answer) }),
      ...(candidates && { candidates: [...candidates] }),
      ...(assistance && { assistance }),
      ...(model && { model }),
    },
  };
}

/** What the documents said, and what of that the visitor got. */
function knowledgeReceiptOf(
  { receipt, documents }: ConsultedKnowledge,
  { metadata: { sources } }: Answer,
): KnowledgeReceipt {
  return sources === undefined ? receipt : { ...receipt, shown: documents, sources };
}

/** The turn as it stands while nothing is said: a model is being asked, or failed. */
export function unansweredTurn(decided: DecidedMessage, costs: ModelCosts): Turn {
  const { response, metadata } = freeAnswer("");
  const capabilityAllowed = decided.decision.kind === "allowed";
  const answer = { response, metadata: { ...metadata, capabilityAllowed } };
  return turnOf(decided, { state: "unanswered", answer }, costs);
}
