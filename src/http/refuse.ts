import { errorCode, errorDetails, problemResponse } from "./errors.ts";
import type { RequestContext } from "./request-context.ts";

/** The answer to a request that ended in an error, of which the log line tells. */
export function refuse(error: unknown, context: RequestContext): Response {
  context.code = errorCode(error);
  const details = errorDetails(error);
  if (details !== undefined) context.logFields = { ...context.logFields, ...details };
  return problemResponse(error, context.requestId);
}
