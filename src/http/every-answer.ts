import { errorCode, errorDetails, PROBLEM_HEADERS, problemResponse } from "./errors.ts";
import type { RequestContext } from "./request-context.ts";

/**
 * Headers of every answer of the public listener. Authority comes from the token and the domain check, never from CORS: any origin may
 * read any answer.
 */
const EVERY_ANSWER = {
  "Access-Control-Allow-Origin": "*",
  "Access-Control-Expose-Headers": "X-Request-Id, RateLimit, RateLimit-Policy, Retry-After",
  "X-Content-Type-Options": "nosniff",
};
const ENTRIES = Object.entries(EVERY_ANSWER);

/**
 * Headers of an endpoint's answers, including those of every answer. Create once: copying a Headers object is much faster than creating
 * one.
 */
export function answerHeaders(own: Readonly<Record<string, string>>): Headers {
  return new Headers({ ...EVERY_ANSWER, ...own });
}

/** Headers of an answer as server-sent events. */
export const EVENT_STREAM_HEADERS = answerHeaders({
  "Content-Type": "text/event-stream; charset=utf-8",
  "Cache-Control": "no-cache, no-transform",
  "X-Accel-Buffering": "no",
});

const JSON_HEADERS = answerHeaders({ "Content-Type": "application/json", "Cache-Control": "no-store" });

/** An answer in JSON that nobody caches. */
export function jsonAnswer(body: unknown): Response {
  return new Response(JSON.stringify(body), { headers: JSON_HEADERS });
}

/** Adds the headers of every answer to a response made without them. */
export function addEveryAnswerHeader(response: Response): Response {
  for (const [name, value] of ENTRIES) response.headers.set(name, value);
  return response;
}

const HEADERS = answerHeaders(PROBLEM_HEADERS);

/** The public listener's answer to a request that ended in an error, of which the log line tells. */
export function refuse(error: unknown, context: RequestContext): Response {
  context.code = errorCode(error);
  const details = errorDetails(error);
  if (details !== undefined) context.logFields = { ...context.logFields, ...details };
  return problemResponse(error, context.requestId, HEADERS);
}
