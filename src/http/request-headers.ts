import { ServiceError } from "../domain/errors.ts";

/** The names in an `Accept…` header that the client does not refuse by `q=0` (RFC 9110 §12.4.2), lower-case, without their parameters. */
export function acceptedNames(header: string | null): ReadonlySet<string> {
  const items = (header ?? "").toLowerCase().split(",");
  const parsed = items.map((item) => item.split(";").map((part) => part.trim()));
  const wanted = parsed.filter(
    ([, ...parameters]) => !parameters.some((parameter) => /^q=0(\.0*)?$/.test(parameter)),
  );
  return new Set(wanted.map(([name = ""]) => name));
}

/** A 304 with these headers if the request's ETag matches (RFC 9110 §13.1.2). */
export function notModified(
  request: Request,
  etag: string,
  headers: Headers | Readonly<Record<string, string>>,
): Response | undefined {
  const condition = request.headers.get("if-none-match");
  if (condition === null) return undefined;
  const names = condition.split(",").map((name) => name.trim().replace(/^W\//, ""));
  if (condition.trim() !== "*" && !names.includes(etag)) return undefined;
  return new Response(null, { status: 304, headers });
}

const IDEMPOTENCY_KEY = /^[\x21-\x7e]{1,255}$/;

/** The key of an `Idempotency-Key` header; undefined if there is none. @throws ServiceError INVALID_REQUEST */
export function readIdempotencyKey(header: string | null): string | undefined {
  if (header === null) return undefined;
  if (IDEMPOTENCY_KEY.test(header)) return header;
  throw new ServiceError(
    "INVALID_REQUEST",
    "The Idempotency-Key header must be 1 to 255 visible ASCII characters, such as a UUID.",
  );
}
