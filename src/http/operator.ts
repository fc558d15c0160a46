import { Elysia, NotFoundError } from "elysia";
import type { Logger } from "pino";

import { ServiceError } from "../domain/errors.ts";
import type { RequestId } from "../domain/ids.ts";
import type { Metrics } from "../metrics.ts";
import { errorFields, problemResponse } from "./errors.ts";
import { refuseForeignHost } from "./operator-host.ts";
import { withReadableUrl } from "./readable-url.ts";
import type { AssertReady } from "./readiness.ts";
import { leavesLongBody } from "./unread-body.ts";

/** The parts that the operator listener uses. */
export interface OperatorParts {
  metrics: Pick<Metrics, "expose" | "contentType" | "ready">;
  assertReady: AssertReady;
  log: Pick<Logger, "warn" | "error">;
  newRequestId: () => RequestId;
  /** Where operators reach the listener, beside loopback and IP addresses. */
  operatorUrl?: string | undefined;
}

/** The operator listener: `/metrics` in the Prometheus text format. Never public by default. */
export function createOperatorApp(parts: OperatorParts): (request: Request) => Promise<Response> {
  const { newRequestId, operatorUrl } = parts;
  const requestIds = new WeakMap<Request, RequestId>();
  const routes = new Elysia()
    .onError(({ error, request }) => errorResponse(parts, error, requestIds.get(request)!))
    .onRequest(({ request }) => refuseForeignHost(request.headers.get("host"), operatorUrl))
    .get("/metrics", () => getMetrics(parts));
  return async (request) => {
    const served = withReadableUrl(request);
    const requestId = newRequestId();
    requestIds.set(served, requestId);
    const response = await routes.handle(served);
    response.headers.set("X-Request-Id", requestId);
    if (leavesLongBody(served, response.status)) response.headers.set("Connection", "close");
    return response;
  };
}

/** Why the server is not ready, `/readyz` and the log tell. */
async function getMetrics({ metrics, assertReady }: OperatorParts): Promise<Response> {
  metrics.ready.set(
    await assertReady().then(
      () => 1,
      () => 0,
    ),
  );
  return new Response(await metrics.expose(), { headers: { "Content-Type": metrics.contentType } });
}

function errorResponse({ log }: OperatorParts, error: unknown, requestId: RequestId): Response {
  if (error instanceof NotFoundError) {
    const nothing = new ServiceError(
      "NOT_FOUND",
      "The operator listener has GET /metrics, and nothing else.",
    );
    return problemResponse(nothing, requestId);
  }
  const fields = { requestId, ...errorFields(error) };
  if (error instanceof ServiceError) log.warn(fields, "operator request refused");
  else log.error(fields, "operator request failed");
  return problemResponse(error, requestId);
}
