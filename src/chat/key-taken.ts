import { ServiceError } from "../domain/errors.ts";

/** Another server on the same store took the idempotency key between the look and the write. Nothing was written or told. */
export class KeyTaken extends Error {
  override name = "KeyTaken";
}

/** What a caller is told whose message another server is answering, or has answered in its place. */
export function answeredElsewhere(): ServiceError {
  return new ServiceError(
    "STORAGE_UNAVAILABLE",
    "Another server is answering this message; send it again with the same Idempotency-Key.",
    { headers: { "Retry-After": "1" } },
  );
}
