import { ServiceError } from "../domain/errors.ts";

const IDEMPOTENCY_KEY = /^[\x21-\x7e]{1,255}$/;

/** The key of an `Idempotency-Key` header; undefined where there is none. @throws ServiceError INVALID_REQUEST */
export function readIdempotencyKey(header: string | null): string | undefined {
  if (header === null) return undefined;
  if (IDEMPOTENCY_KEY.test(header)) return header;
  throw new ServiceError(
    "INVALID_REQUEST",
    "The Idempotency-Key header must be 1 to 255 visible ASCII characters, such as a UUID.",
  );
}
