/** Another server on the same store took the idempotency key between the look and the write. Nothing was written or told. */
export class KeyTaken extends Error {
  override name = "KeyTaken";
}
