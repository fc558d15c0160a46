import { callerAddressKey } from "../../access/client-address.ts";
import type { ChatRequest } from "../../domain/chat.ts";
import { sha256 } from "../../domain/sha256.ts";
import type { IdempotencyKey } from "../../store/idempotency.ts";
import type { EmbedTokenKey } from "../../store/interface/embed-tokens.ts";

/** A key as it was sent, and by whom. */
export interface SentKey {
  embedToken: EmbedTokenKey;
  clientAddress: string;
  /** Text of the `Idempotency-Key` header. */
  key: string;
}

/** A key of fewer characters can be guessed, or counted up to. */
const LEAST_OWN_LENGTH = 16;

/** The key of a request as the store knows it. The body is what the request means, not how it is spelt. */
export function idempotencyKeyOf(sent: SentKey, request: ChatRequest): IdempotencyKey {
  const meaning = JSON.stringify([request.botId, request.input, request.conversationId ?? null]);
  return {
    embedToken: sent.embedToken,
    keyHash: sha256(ownKey(sent, request.conversationId)),
    bodyHash: sha256(meaning),
  };
}

/**
 * What a key stands for. All visitors of a page share its token, and the answer to a first message holds the id of its conversation: who
 * guesses a key must not get another's. Keys have no spaces.
 */
export function ownKey({ key, clientAddress }: SentKey, conversationId: string | undefined): string {
  const isOwn = conversationId !== undefined || key.length >= LEAST_OWN_LENGTH;
  return isOwn ? key : `${callerAddressKey(clientAddress)} ${key}`;
}
