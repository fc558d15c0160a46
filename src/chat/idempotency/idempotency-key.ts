import { createHash } from "node:crypto";

import type { ChatRequest } from "../../domain/chat.ts";
import type { EmbedTokenKey } from "../../store/embed-tokens.ts";
import type { IdempotencyKey } from "../../store/idempotency.ts";

/** The key of a request as the store knows it. The body is what the request means, not how it is spelt. */
export function idempotencyKeyOf(
  embedToken: EmbedTokenKey,
  key: string,
  request: ChatRequest,
): IdempotencyKey {
  const meaning = JSON.stringify([request.botId, request.input, request.conversationId ?? null]);
  return { embedToken, keyHash: sha256(key), bodyHash: sha256(meaning) };
}

function sha256(text: string): Uint8Array {
  return createHash("sha256").update(text).digest();
}
