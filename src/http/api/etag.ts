import { ServiceError } from "../../domain/errors.ts";

/** The ETag of a version: `"v12"`. */
export function etagOf(version: number | string): string {
  return `"v${version}"`;
}

/**
 * Refuses a change that was made to something else than what is there: `If-Match` has to name it (RFC 9110 §13.1.1). `*` is no answer,
 * as whoever sends it has not looked.
 *
 * @param current undefined where there is nothing.
 * @throws ServiceError PRECONDITION_REQUIRED without the header; CONFLICT where it names another version.
 */
export function assertMatches(request: Request, current: number | string | undefined): void {
  const named = request.headers.get("if-match");
  if (named === null) {
    throw new ServiceError(
      "PRECONDITION_REQUIRED",
      "Send If-Match with the ETag of what you have seen, so that nobody's change is overwritten.",
    );
  }
  const tags = named.split(",").map((tag) => tag.trim());
  if (current !== undefined && tags.includes(etagOf(current))) return;
  throw conflict(current);
}

/** It is not what was named, or no longer. */
export function conflict(current: number | string | undefined): ServiceError {
  return new ServiceError(
    "CONFLICT",
    current === undefined
      ? "It is no longer there."
      : `It is ${etagOf(current)} now, which If-Match does not name; read it again.`,
    { ...(current !== undefined && { headers: { ETag: etagOf(current) } }) },
  );
}

/**
 * The version that `If-Match` names, for a change that is compared where it is made.
 *
 * @param current undefined where there is nothing.
 * @throws ServiceError PRECONDITION_REQUIRED without the header; CONFLICT where it names no version.
 */
export function namedVersion(request: Request, current: number | undefined): number {
  const named = /^"v(\d{1,15})"$/.exec(request.headers.get("if-match")?.trim() ?? "")?.[1];
  if (named !== undefined) return Number(named);
  assertMatches(request, current);
  // A list of tags, of which one is what is there.
  return current!;
}
