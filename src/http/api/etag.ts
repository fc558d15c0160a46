import { ServiceError } from "../../domain/errors.ts";

/** The ETag of a version: `"v12"`. */
export function etagOf(version: number | string): string {
  return `"v${version}"`;
}

/**
 * Checks `If-Match`, so that a change is not applied to a version the client has not seen (RFC 9110 §13.1.1). `*` is rejected, because it
 * names no version.
 *
 * @param current undefined if nothing exists. @throws ServiceError PRECONDITION_REQUIRED without the header; CONFLICT if it names another
 * version.
 */
export function assertMatches(request: Request, current: number | string | undefined): void {
  const named = request.headers.get("if-match");
  if (named === null) {
    throw new ServiceError(
      "PRECONDITION_REQUIRED",
      "Send If-Match with the ETag of the version that you read, so that no other change is overwritten.",
    );
  }
  const tags = named.split(",").map((tag) => tag.trim());
  if (current !== undefined && tags.includes(etagOf(current))) return;
  throw conflict(current);
}

/** The current version is not the named one. */
export function conflict(current: number | string | undefined): ServiceError {
  return new ServiceError(
    "CONFLICT",
    current === undefined
      ? "It was deleted."
      : `It has changed: its ETag is now ${etagOf(current)}, not the one in If-Match; read it again.`,
    { ...(current !== undefined && { headers: { ETag: etagOf(current) } }) },
  );
}

/**
 * The version in `If-Match`, for changes that compare it in the store.
 *
 * @param current undefined if nothing exists. @throws ServiceError PRECONDITION_REQUIRED without the header; CONFLICT if it names no
 * version.
 */
export function namedVersion(request: Request, current: number | undefined): number {
  const named = /^"v(\d{1,15})"$/.exec(request.headers.get("if-match")?.trim() ?? "")?.[1];
  if (named !== undefined) return Number(named);
  assertMatches(request, current);
  // A list of tags that contains the current one.
  return current!;
}
