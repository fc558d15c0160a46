import { PROBLEM_HEADERS, errorCode, errorDetails, problemResponse } from "./errors.ts";
import { answerHeaders } from "./every-answer.ts";
import type { RequestContext } from "./request-context.ts";

const HEADERS = answerHeaders(PROBLEM_HEADERS);

/** The public listener's answer to a request that ended in an error, of which the log line tells. */
export function refuse(error: unknown, context: RequestContext): Response {
  context.code = errorCode(error);
  const details = errorDetails(error);
  if (details !== undefined) context.logFields = { ...context.logFields, ...details };
  return problemResponse(error, context.requestId, HEADERS);
}
