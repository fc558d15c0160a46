import type { ChatResponse } from "../domain/chat.ts";
import type { Turn } from "../domain/conversation.ts";
import type { ConversationId } from "../domain/ids.ts";

/** The wire shape of a turn, new or stored. */
export function chatResponseOf(conversationId: ConversationId, turn: Turn): ChatResponse {
  return {
    conversationId,
    response: turn.response,
    ...(turn.intent !== undefined && { intentDetected: turn.intent }),
    metadata: turn.metadata,
  };
}
