import type { LoadedBot } from "../../bots/loaded-bot.ts";
import { actionMetadataOf } from "../../domain/action.ts";
import type { ChatMetadata, NextStep } from "../../domain/chat.ts";
import type { Turn, TurnState } from "../../domain/conversation.ts";
import type { KnowledgeReceipt } from "../../domain/decision.ts";
import { offersPersonWhen } from "../../domain/handoff.ts";
import { ENCODER_VERSION } from "../../intent/classifier.ts";
import { handoffOffer } from "../../text/given-data.ts";
import type { Acted } from "./acted.ts";
import { type Answer, freeAnswer } from "./answer.ts";
import type { ConsultedKnowledge } from "./decide-turn.ts";
import type { DecidedMessage } from "./decided-message.ts";
import { receiptOf } from "./decision-receipt.ts";
import type { ModelCosts } from "./model-costs.ts";
import { nextSteps } from "./next-steps.ts";
import { offersPerson } from "./offer-person.ts";
import { subjectOfTurn } from "./subject-of-turn.ts";

/** A turn in the form in which it is stored. */
export function turnOf(
  decided: DecidedMessage,
  { state, answer, acted }: { state: TurnState; answer: Answer; acted?: Acted },
  { receipt: model }: ModelCosts,
): Turn {
  const { message, conversation, at, judged, understanding, decision } = decided;
  const { knowledge, candidates, assistance, standalone, stopwatch } = decided;
  const subject = state === "complete" ? subjectOfTurn(decided) : undefined;
  const { bot, requestId, input } = message;
  // If no model answered, there is a text only to offer a person.
  const isOffered =
    state === "unanswered"
      ? answer.response !== ""
      : offersPerson(bot.document, decision, judged, conversation.turns) || offersAfter(bot, acted);
  const next = state === "complete" ? nextOf(decided, acted, isOffered) : [];
  const action = acted === undefined ? decided.action?.before : acted.memory;
  const offered: Pick<ChatMetadata, "handoff" | "next" | "action"> = {
    ...(next.length > 0 && { next }),
    ...actionMetadataOf(acted?.receipt),
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
    ...(action && { action }),
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
      ...(acted?.receipt && { action: acted.receipt }),
      ...(assistance && { assistance }),
      ...(model && { model }),
    },
  };
}

/** If an action could not finish, a person is offered. */
function offersAfter({ document: { handoff } }: LoadedBot, acted: Acted | undefined): boolean {
  if (!acted?.offersPerson) return false;
  return offersPersonWhen(handoff, "asked") || offersPersonWhen(handoff, "not_understood_twice");
}

/** Replies to the open question, otherwise the next steps of the bot file. */
function nextOf(
  { message: { bot, input }, decision, knowledge }: DecidedMessage,
  acted: Acted | undefined,
  isPersonOffered: boolean,
): NextStep[] {
  if (acted !== undefined && acted.next.length > 0) return acted.next;
  const isAnswered = acted?.receipt?.state === undefined || acted.isResult;
  return isAnswered ? nextSteps(bot, decision, { input, headings: knowledge?.next, isPersonOffered }) : [];
}

/** The documents' result, and the part that was shown. */
function knowledgeReceiptOf(
  { receipt, documents }: ConsultedKnowledge,
  { metadata: { sources } }: Answer,
): KnowledgeReceipt {
  return sources === undefined ? receipt : { ...receipt, shown: documents, sources };
}

/** The turn without an answer: while a model is asked, or after it failed. */
export function unansweredTurn(decided: DecidedMessage, costs: ModelCosts): Turn {
  const { response, metadata } = freeAnswer("");
  const capabilityAllowed = decided.decision.kind === "allowed";
  const answer = { response, metadata: { ...metadata, capabilityAllowed } };
  return turnOf(decided, { state: "unanswered", answer }, costs);
}
