/** The data directory holds something that this executable cannot use; `message` says what to do. */
export class UnusableDatabaseError extends Error {
  override name = "UnusableDatabaseError";
}
