/** A store cannot be copied, or a copy is faulty; `message` says what to do. */
export class CopyError extends Error {
  override name = "CopyError";
}
