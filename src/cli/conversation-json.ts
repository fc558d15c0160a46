import { isTextKept } from "../domain/conversation.ts";
import type { RequestId } from "../domain/ids.ts";
import type { RatedAnswer } from "../store/interface/audit.ts";
import type { ConversationHead, StoredTurn } from "../store/interface/conversations.ts";
import type { PeopleHistory, StoredFeedback, StoredHandoff } from "../store/interface/handoffs.ts";
import type { Store } from "../store/interface/store.ts";
import { formatInstant } from "./format.ts";

/** All stored data of a conversation, oldest first. */
export interface StoredConversation extends PeopleHistory {
  turns: readonly StoredTurn[];
  /** By request id of the rated answer. */
  feedback: ReadonlyMap<RequestId, StoredFeedback>;
}

export async function readStored(
  { conversations, feedback, handoffs }: Pick<Store, "conversations" | "feedback" | "handoffs">,
  { id }: ConversationHead,
): Promise<StoredConversation> {
  const given = await feedback.listOf(id);
  return {
    turns: await conversations.listTurns(id),
    feedback: new Map(given.map((each) => [each.requestId, each])),
    ...(await handoffs.historyOf(id)),
  };
}

/** A conversation in the form of `--json` and exports; its names are public interface. */
export function conversationAsJson(
  { id, botId }: ConversationHead,
  { turns, feedback, handoffs, events }: StoredConversation,
) {
  return {
    conversationId: id,
    botId,
    turns: turns.map((turn) => ({ ...turnAsJson(turn), ...feedbackAsJson(feedback.get(turn.requestId)) })),
    handoffs: handoffs.map(handoffAsJson),
    /** Messages while an operator was there. The visitor's messages are also turns. */
    people: events.map(({ at, ...event }) => ({ ...event, at: formatInstant(at) })),
  };
}

function handoffAsJson({ botId: _bot, conversationId: _conversation, ...handoff }: StoredHandoff) {
  const { createdAt, updatedAt, liveUntil } = handoff;
  return {
    ...handoff,
    createdAt: formatInstant(createdAt),
    updatedAt: formatInstant(updatedAt),
    ...(liveUntil !== undefined && { liveUntil: formatInstant(liveUntil) }),
  };
}

/** The visitor's rating; nothing without one. The reason is null if none was given or stored. */
function feedbackAsJson(feedback: StoredFeedback | undefined) {
  if (!feedback) return {};
  const { rating, reason = null, at } = feedback;
  return { feedback: { rating, reason, at: formatInstant(at) } };
}

/** A rated answer in the form of `audit decisions --json`. Text is null if it was not stored. */
export function ratedAnswerAsJson(answer: RatedAnswer) {
  const { input, response, at, ...rest } = answer;
  const texts = isTextKept(answer) ? { input, response } : { input: null, response: null };
  return { ...rest, ...texts, at: formatInstant(at) };
}

/** A turn as JSON. Text is null if it was not stored. */
export function turnAsJson({ botId: _bot, conversationId: _conversation, at, ...turn }: StoredTurn) {
  const texts = isTextKept(turn) ? {} : { input: null, response: null };
  return { ...turn, ...texts, at: formatInstant(at) };
}
