import { isTextKept } from "../domain/conversation.ts";
import type { RatedAnswer } from "../store/interface/audit.ts";
import type { ConversationHead, StoredTurn } from "../store/interface/conversations.ts";
import type { StoredFeedback, StoredHandoff } from "../store/interface/handoffs.ts";
import { formatInstant } from "./format.ts";
import type { StoredConversation } from "./stored-conversation.ts";

/** A conversation as `--json` and an export have it; their names are public surface. */
export function conversationAsJson(
  { id, botId }: ConversationHead,
  { turns, feedback, handoffs, events }: StoredConversation,
) {
  return {
    conversationId: id,
    botId,
    turns: turns.map((turn) => ({ ...turnAsJson(turn), ...feedbackAsJson(feedback.get(turn.requestId)) })),
    handoffs: handoffs.map(handoffAsJson),
    /** What was said while a person was there; messages to one are turns as well. */
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

/** What the visitor thinks of the answer; nothing where they did not say. A reason that was not given, or not kept, is null. */
function feedbackAsJson(feedback: StoredFeedback | undefined) {
  if (!feedback) return {};
  const { rating, reason = null, at } = feedback;
  return { feedback: { rating, reason, at: formatInstant(at) } };
}

/** A rated answer as `audit decisions --json` has it. What was said is null where it was not kept. */
export function ratedAnswerAsJson(answer: RatedAnswer) {
  const { input, response, at, ...rest } = answer;
  const texts = isTextKept(answer) ? { input, response } : { input: null, response: null };
  return { ...rest, ...texts, at: formatInstant(at) };
}

/** A turn as JSON has it. What was said is null where it was not kept. */
export function turnAsJson({ botId: _bot, conversationId: _conversation, at, ...turn }: StoredTurn) {
  const texts = isTextKept(turn) ? {} : { input: null, response: null };
  return { ...turn, ...texts, at: formatInstant(at) };
}
