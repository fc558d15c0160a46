import type { ChatRequest } from "../../domain/chat.ts";
import { sha256 } from "../../domain/sha256.ts";
import type { IdempotencyKey } from "../../store/idempotency.ts";
import type { EmbedTokenKey } from "../../store/interface/embed-tokens.ts";

/** The key of a request as the store knows it. The body is what the request means, not how it is spelt. */
export function idempotencyKeyOf(
  embedToken: EmbedTokenKey,
  key: string,
  request: ChatRequest,
): IdempotencyKey {
  const meaning = JSON.stringify([request.botId, request.input, request.conversationId ?? null]);
  return { embedToken, keyHash: sha256(key), bodyHash: sha256(meaning) };
}
