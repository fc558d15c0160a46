/** A store cannot be copied, or a copy is not what it should be; `message` says what to do. */
export class CopyError extends Error {
  override name = "CopyError";
}
