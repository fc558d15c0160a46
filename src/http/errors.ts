import { type Static, Type } from "@sinclair/typebox";

import { type ErrorCode, ServiceError } from "../domain/errors.ts";
import type { RequestId } from "../domain/ids.ts";

/** Exhaustive: a new code does not compile without a status. */
export const STATUS_OF: Readonly<Record<ErrorCode, number>> = {
  INVALID_REQUEST: 400,
  UNAUTHORIZED: 401,
  FORBIDDEN: 403,
  NOT_FOUND: 404,
  METHOD_NOT_ALLOWED: 405,
  CONFLICT: 412,
  PRECONDITION_REQUIRED: 428,
  UNACCEPTED_FAULTS: 422,
  RATE_LIMITED: 429,
  MESSAGE_CAP_EXCEEDED: 429,
  MODEL_ERROR: 502,
  MODEL_TIMEOUT: 504,
  OVERLOADED: 503,
  STORAGE_UNAVAILABLE: 503,
  INTERNAL_ERROR: 500,
};

const TITLES: Readonly<Record<number, string>> = {
  400: "Bad Request",
  401: "Unauthorized",
  403: "Forbidden",
  404: "Not Found",
  405: "Method Not Allowed",
  409: "Conflict",
  412: "Precondition Failed",
  413: "Content Too Large",
  422: "Unprocessable Content",
  428: "Precondition Required",
  429: "Too Many Requests",
  500: "Internal Server Error",
  502: "Bad Gateway",
  503: "Service Unavailable",
  504: "Gateway Timeout",
};

/** Body of every error (RFC 9457). */
export const Problem = Type.Object(
  {
    type: Type.Literal("about:blank"),
    title: Type.String(),
    status: Type.Integer(),
    code: Type.Union(Object.keys(STATUS_OF).map((code) => Type.Literal(code))),
    detail: Type.String({ description: "One sentence a developer can act on" }),
    requestId: Type.String({ description: "Also the X-Request-Id header; names the log line" }),
    errors: Type.Optional(
      Type.Array(
        Type.Object({
          pointer: Type.String({ description: "JSON Pointer into the body" }),
          detail: Type.String(),
          maxLength: Type.Optional(
            Type.Integer({ description: "Where a text is too long: how many characters it may have" }),
          ),
        }),
      ),
    ),
  },
  { $id: "Problem" },
);
export type Problem = Static<typeof Problem>;

/** The problem document of an error. Details of defects are not disclosed. */
export function problemOf(error: unknown, requestId: RequestId): Problem {
  const known = knownError(error);
  const status = known.options.status ?? STATUS_OF[known.errorCode];
  return {
    type: "about:blank",
    title: TITLES[status] ?? "Error",
    status,
    code: known.errorCode,
    detail: known.message,
    requestId,
    ...(known.options.errors && { errors: [...known.options.errors] }),
  };
}

/** Headers of every problem document. */
export const PROBLEM_HEADERS = { "Content-Type": "application/problem+json", "Cache-Control": "no-store" };
const HEADERS = new Headers(PROBLEM_HEADERS);

/** The response for an error. @param headers including {@link PROBLEM_HEADERS}. */
export function problemResponse(error: unknown, requestId: RequestId, headers = HEADERS): Response {
  const problem = problemOf(error, requestId);
  const response = new Response(JSON.stringify(problem), { status: problem.status, headers });
  const own = knownError(error).options.headers;
  for (const name in own) response.headers.set(name, own[name]!);
  return response;
}

/** Fields for the log, including details that the response must not have. */
export function errorFields(error: unknown): Record<string, unknown> {
  return { code: errorCode(error), ...errorDetails(error) };
}

/** The code of an error; for a defect, the code of defects. */
export function errorCode(error: unknown): ErrorCode {
  return error instanceof ServiceError ? error.errorCode : "INTERNAL_ERROR";
}

/** Details of an error for the log; undefined if there are none. */
export function errorDetails(error: unknown): Record<string, unknown> | undefined {
  if (!(error instanceof ServiceError)) return { err: error };
  const { cause, logFields } = error.options;
  return cause === undefined ? logFields : { ...logFields, err: cause };
}

function knownError(error: unknown): ServiceError {
  if (error instanceof ServiceError) return error;
  return new ServiceError(
    "INTERNAL_ERROR",
    "Something went wrong on the server; the request id names its log line.",
  );
}
