/** A listener could not be bound; `message` says which and what to do. */
export class ListenError extends Error {
  override name = "ListenError";
}
