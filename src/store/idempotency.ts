import { ServiceError } from "../domain/errors.ts";
import type { EmbedTokenKey } from "./interface/embed-tokens.ts";

/** One caller's `Idempotency-Key` and the request that it was sent with, as SHA-256 hashes. */
export interface IdempotencyKey {
  embedToken: EmbedTokenKey;
  keyHash: Uint8Array;
  bodyHash: Uint8Array;
}

/** How long a key is remembered. */
export const IDEMPOTENCY_WINDOW_MS = 24 * 60 * 60 * 1000;

/** The error for a caller whose message another server is answering, or has answered. */
export function answeredElsewhere(): ServiceError {
  return new ServiceError(
    "STORAGE_UNAVAILABLE",
    "Another server is answering this message; send it again with the same Idempotency-Key.",
    { headers: { "Retry-After": "1" } },
  );
}
