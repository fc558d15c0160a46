import type { StoredTurn } from "../store/conversations.ts";
import { formatInstant } from "./format.ts";

/** A conversation as `--json` and an export have it; their names are public surface. */
export function conversationAsJson({ botId, conversationId }: StoredTurn, turns: readonly StoredTurn[]) {
  return {
    conversationId,
    botId,
    turns: turns.map(({ botId: _bot, conversationId: _conversation, at, ...turn }) => ({
      ...turn,
      at: formatInstant(at),
    })),
  };
}
