import { Elysia, NotFoundError } from "elysia";

import { ServiceError } from "../domain/errors.ts";
import { type RequestId, newRequestId } from "../domain/ids.ts";
import type { Runtime } from "../runtime.ts";
import { errorFields, problemResponse } from "./errors.ts";
import { withReadableUrl } from "./readable-url.ts";

/** The operator listener: `/metrics` in the Prometheus text format. Never public by default. */
export function createOperatorApp(
  runtime: Pick<Runtime, "metrics" | "log" | "now" | "randomBytes">,
): (request: Request) => Promise<Response> {
  const { metrics, now, randomBytes } = runtime;
  const requestIds = new WeakMap<Request, RequestId>();
  const routes = new Elysia()
    .onError(({ error, request }) => errorResponse(runtime, error, requestIds.get(request)!))
    .get(
      "/metrics",
      async () => new Response(await metrics.expose(), { headers: { "Content-Type": metrics.contentType } }),
    );
  return async (request) => {
    const served = withReadableUrl(request);
    const requestId = newRequestId(now(), randomBytes);
    requestIds.set(served, requestId);
    const response = await routes.handle(served);
    response.headers.set("X-Request-Id", requestId);
    return response;
  };
}

function errorResponse({ log }: Pick<Runtime, "log">, error: unknown, requestId: RequestId): Response {
  if (error instanceof NotFoundError) {
    const nothing = new ServiceError(
      "NOT_FOUND",
      "The operator listener has GET /metrics, and nothing else.",
    );
    return problemResponse(nothing, requestId);
  }
  log.error({ requestId, ...errorFields(error) }, "operator request failed");
  return problemResponse(error, requestId);
}
