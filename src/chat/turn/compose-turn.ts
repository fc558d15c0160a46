import type { LoadedBot } from "../../bots/loaded-bot.ts";
import { actionMetadataOf } from "../../domain/action.ts";
import type { ChatMetadata, NextStep } from "../../domain/chat.ts";
import type { Turn, TurnState } from "../../domain/conversation.ts";
import type { DecisionReceipt, KnowledgeReceipt, Permission, ReadingScores } from "../../domain/decision.ts";
import { offersPersonWhen } from "../../domain/handoff.ts";
import { KNOWLEDGE_INTENT } from "../../domain/ids.ts";
import type { Subject } from "../../domain/subject.ts";
import { LEANS } from "../../governance/follow-up/leaning.ts";
import { evidenceOf } from "../../governance/judge-message.ts";
import { ENCODER_VERSION } from "../../intent/classifier.ts";
import { contentWordsOf } from "../../text/content-words.ts";
import { handoffOffer } from "../../text/given-data.ts";
import type { ActionResult } from "./action-result.ts";
import { type Answer, freeAnswer } from "./answer.ts";
import type { ConsultedKnowledge, DecidedTurn } from "./decide-turn.ts";
import type { DecidedMessage } from "./decided-message.ts";
import { earlierRequest } from "./earlier-turns.ts";
import type { ModelCosts } from "./model-costs.ts";
import { nextSteps, offersPerson } from "./offers.ts";

/** A turn in the form in which it is stored. */
export function turnOf(
  decided: DecidedMessage,
  { state, answer, result }: { state: TurnState; answer: Answer; result?: ActionResult },
  { receipt: model }: ModelCosts,
): Turn {
  const { message, conversation, at, judged, understanding, decision } = decided;
  const { knowledge, assistance, standalone, stopwatch } = decided;
  const subject = state === "complete" ? subjectOfTurn(decided) : undefined;
  const { bot, requestId, input } = message;
  // If no model answered, there is a text only to offer a person.
  const isOffered =
    state === "unanswered"
      ? answer.response !== ""
      : offersPerson(bot.document, decision, judged, conversation.turns) || offersAfter(bot, result);
  const next = state === "complete" ? nextOf(decided, result, isOffered) : [];
  const action = result === undefined ? decided.action?.before : result.memory;
  const offered: Pick<ChatMetadata, "handoff" | "next" | "action"> = {
    ...(next.length > 0 && { next }),
    ...actionMetadataOf(result?.receipt),
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
      ...receiptOf(bot, decided, stopwatch.lapsMs),
      ...(next.length > 0 && { next }),
      ...(isOffered && { offersPerson: true }),
      ...(understanding && { understanding }),
      ...([understanding, assistance?.understanding, knowledge?.receipt.meaning].includes("used") && {
        encoder: ENCODER_VERSION,
      }),
      ...(knowledge && { knowledge: knowledgeReceiptOf(knowledge, answer) }),
      ...(result?.receipt && { action: result.receipt }),
      ...(assistance && { assistance }),
      ...(model && { model }),
    },
  };
}

/** If an action could not finish, a person is offered. */
function offersAfter({ document: { handoff } }: LoadedBot, result: ActionResult | undefined): boolean {
  if (!result?.offersPerson) return false;
  return offersPersonWhen(handoff, "asked") || offersPersonWhen(handoff, "not_understood_twice");
}

/** Replies to the open question, otherwise the next steps of the bot file. */
function nextOf(
  { message: { bot, input }, decision, knowledge }: DecidedMessage,
  result: ActionResult | undefined,
  isPersonOffered: boolean,
): NextStep[] {
  if (result !== undefined && result.next.length > 0) return result.next;
  const isAnswered = result?.receipt?.state === undefined || result.isResult;
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

/** The stored part of a decision, without text of the message or of the answer. */
export function receiptOf(
  bot: LoadedBot,
  { judged, decision, knowledge, candidates }: DecidedTurn & Pick<DecidedMessage, "judged">,
  stagesMs: Record<string, number>,
): DecisionReceipt {
  const { thresholds, readings } = evidenceOf(judged, bot.policy);
  return {
    botVersion: bot.version,
    rule: decision.rule,
    ...(decision.kind === "restricted" && decision.deniedBy && { deniedBy: decision.deniedBy }),
    thresholds,
    readings: readings.map(inMillionths),
    ...(decision.suggestions !== undefined &&
      decision.suggestions.length > 0 && { suggestions: decision.suggestions }),
    ...(decision.kind === "allowed" && decision.alsoIntents && { alsoIntents: decision.alsoIntents }),
    ...(decision.kind === "allowed" && decision.wouldRestrict && { wouldRestrict: decision.wouldRestrict }),
    ...(knowledge && { knowledge: knowledge.receipt }),
    ...(candidates && { candidates: [...candidates] }),
    stagesMs,
  };
}

/** Rounds probabilities to a millionth: all digits would be a third of a turn's size on disk. */
function inMillionths(reading: ReadingScores): ReadingScores {
  const { leans, scores, inScope, denied, clause } = reading;
  return {
    ...reading,
    ...(leans !== undefined && { leans: toMillionth(leans) }),
    scores: scores.map(({ intent, confidence }) => ({ intent, confidence: toMillionth(confidence) })),
    inScope: toMillionth(inScope),
    denied: toMillionth(denied),
    ...(clause && { clause: { ...clause, denied: toMillionth(clause.denied) } }),
  };
}

function toMillionth(chance: number): number {
  return Math.round(chance * 1e6) / 1e6;
}

/** Words kept of a conversation's subject, the latest; a question has three or four. Chosen by hand. */
const MAX_WORDS = 12;

/** The facts of a turn that determine its subject. */
type TurnWithSubject = DecidedTurn &
  Pick<DecidedMessage, "message" | "conversation" | "at" | "judged" | "standalone">;

/**
 * The subject of a turn: the answered intent or passage; for a message that depends on the previous turn and was not understood, that
 * turn's subject. Undefined for courtesies, refusals, and unanswered messages with a subject of their own.
 */
export function subjectOfTurn(turn: TurnWithSubject): Subject | undefined {
  const { decision, judged } = turn;
  if (decision.kind === "allowed") return subjectOfAnswer(turn, decision);
  if (decision.reason !== "no_intent_match" || (judged.inContext?.leans ?? 0) < LEANS) return undefined;
  const before = subjectBefore(turn);
  return before && { ...before, words: wordsAfter(before, turn) };
}

function subjectOfAnswer(
  turn: TurnWithSubject,
  { intent, rule, alsoIntents }: Permission,
): Subject | undefined {
  if (rule === "social" || rule === "default-intent") return undefined;
  const { knowledge, message } = turn;
  const isFromDocuments = intent === KNOWLEDGE_INTENT;
  const isShown = isFromDocuments || alsoIntents?.includes(KNOWLEDGE_INTENT);
  const found = isShown ? knowledge?.first : undefined;
  const isFollowUp = rule === "follow-up" || (isShown && knowledge?.receipt.isFollowUp);
  const heading = found && (found.passage.headingPath.at(-1) ?? found.passage.title);
  return {
    ...(!isFromDocuments && { intent }),
    ...(found && { passage: { id: found.id, document: found.passage.documentId } }),
    name: (isFromDocuments ? heading : message.bot.policy.labels.get(intent)) ?? intent,
    words: wordsAfter(isFollowUp ? subjectBefore(turn) : undefined, turn),
  };
}

function subjectBefore({ conversation, at, message: { bot } }: TurnWithSubject): Subject | undefined {
  return earlierRequest(conversation.turns, at, bot.policy.social)?.subject;
}

function wordsAfter(
  before: Subject | undefined,
  { message: { input }, standalone = input }: TurnWithSubject,
): string[] {
  return [...new Set([...(before?.words ?? []), ...contentWordsOf(standalone)])].slice(-MAX_WORDS);
}
