import { isTextKept } from "../domain/conversation.ts";
import type { StoredTurn } from "../store/interface/conversations.ts";
import { formatInstant } from "./format.ts";

/** A conversation as `--json` and an export have it; their names are public surface. */
export function conversationAsJson({ botId, conversationId }: StoredTurn, turns: readonly StoredTurn[]) {
  return {
    conversationId,
    botId,
    turns: turns.map(turnAsJson),
  };
}

/** A turn as JSON has it. What was said is null where it was not kept. */
export function turnAsJson({ botId: _bot, conversationId: _conversation, at, ...turn }: StoredTurn) {
  const texts = isTextKept(turn) ? {} : { input: null, response: null };
  return { ...turn, ...texts, at: formatInstant(at) };
}
