import type { ChatResponse } from "../domain/chat.ts";
import type { Turn } from "../domain/conversation.ts";
import type { ConversationId, RequestId } from "../domain/ids.ts";

/** An answer, and the request whose turn it is: of a message that was sent again, the first one. */
export interface Answered {
  requestId: RequestId;
  response: ChatResponse;
}

/** The wire shape of a turn, new or stored. */
export function chatResponseOf(conversationId: ConversationId, turn: Turn): ChatResponse {
  return {
    conversationId,
    response: turn.response,
    ...(turn.intent !== undefined && { intentDetected: turn.intent }),
    metadata: turn.metadata,
  };
}
