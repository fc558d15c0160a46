import { callerAddressKey } from "../../access/client-address.ts";
import type { ChatRequest } from "../../domain/chat.ts";
import type { RequestId } from "../../domain/ids.ts";
import { idempotencyKeyOf } from "../idempotency/idempotency-key.ts";
import type { Message } from "../message.ts";
import type { Admitted } from "./admit.ts";

/** What a visitor says, and the text of the `Idempotency-Key` header that came with it. */
export type ChatBody = ChatRequest & { idempotencyKey?: string };

/** The message that an admitted request holds. */
export function admittedMessage(
  { bot, embedToken, body }: Admitted<ChatBody>,
  { requestId, clientAddress }: { requestId: RequestId; clientAddress: string },
): Message {
  const { input, conversationId, idempotencyKey: key } = body;
  const sent = key !== undefined && { embedToken: embedToken.key, clientAddress, key };
  return {
    bot,
    requestId,
    input,
    caller: callerAddressKey(clientAddress),
    ...(conversationId !== undefined && { conversationId }),
    ...(sent && { idempotencyKey: idempotencyKeyOf(sent, body) }),
  };
}
