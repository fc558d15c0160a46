import { callerAddressKey } from "../access/client-address.ts";
import type { ChatRequest } from "../domain/chat.ts";
import { sha256 } from "../domain/sha256.ts";
import type { IdempotencyKey } from "../store/idempotency.ts";
import type { EmbedTokenKey } from "../store/interface/embed-tokens.ts";

/** A key with its sender. */
export interface SentKey {
  embedToken: EmbedTokenKey;
  clientAddress: string;
  /** Text of the `Idempotency-Key` header. */
  key: string;
}

/** Shorter keys can be guessed or enumerated. */
const MIN_OWN_LENGTH = 16;

/** The key of a request in the store. The body is hashed by its meaning, not by its JSON spelling. */
export function idempotencyKeyOf(sent: SentKey, request: ChatRequest): IdempotencyKey {
  const meaning = JSON.stringify([request.botId, request.input, request.conversationId ?? null]);
  return {
    embedToken: sent.embedToken,
    keyHash: sha256(ownKey(sent, request.conversationId)),
    bodyHash: sha256(meaning),
  };
}

/**
 * The scope of a key. All visitors of a page share its token, and the answer to a first message contains the conversation's id, so a
 * short key, which others may guess, is bound to the client address. Keys contain no spaces.
 */
export function ownKey({ key, clientAddress }: SentKey, conversationId: string | undefined): string {
  const isOwn = conversationId !== undefined || key.length >= MIN_OWN_LENGTH;
  return isOwn ? key : `${callerAddressKey(clientAddress)} ${key}`;
}
