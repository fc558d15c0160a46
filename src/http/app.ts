import { Elysia, NotFoundError } from "elysia";
import type { Logger } from "pino";

import { ServiceError } from "../domain/errors.ts";
import type { EmbedToken, RequestId } from "../domain/ids.ts";
import type { Metrics } from "../metrics.ts";
import { assetRoutes } from "./assets.ts";
import { type ChatRouteParts, chatRoute } from "./chat.ts";
import { demoRoute } from "./demo.ts";
import { type EmbedConfigParts, embedConfigRoute } from "./embed-config.ts";
import { errorFields, problemResponse } from "./errors.ts";
import { type HealthParts, healthRoutes } from "./health.ts";
import { openApiRoute } from "./openapi.ts";
import { withReadableUrl } from "./readable-url.ts";
import type { ContextOf, RequestContext } from "./request-context.ts";
import { type RequestLine, RequestLog } from "./request-log.ts";
import { type MethodsAt, allMethods, routeMethods } from "./route-methods.ts";
import { leavesLongBody } from "./unread-body.ts";

/** Answers a request from the socket's peer; never rejects. `keepOpen` lets the answer take longer than an idle connection may. */
export type PublicApp = (request: Request, peer: string, keepOpen?: () => void) => Promise<Response>;

/** The parts that the log and the metrics of the public listener use. */
interface ObserveParts {
  log: Pick<Logger, "info" | "warn" | "error">;
  metrics: Pick<Metrics, "requests" | "requestSeconds">;
}

/** The parts that the public listener uses: those of its routes, and its own. */
export interface PublicAppParts extends ChatRouteParts, EmbedConfigParts, HealthParts, ObserveParts {
  bots: EmbedConfigParts["bots"] & HealthParts["bots"];
  log: ObserveParts["log"];
  metrics: ObserveParts["metrics"] & ChatRouteParts["metrics"];
  newRequestId: () => RequestId;
  /** The embed token of the demo pages; without one, there are none. */
  demoToken?: EmbedToken;
}

/** Authority comes from the token and the domain check, never from CORS: any origin may read any answer (decisions §5). */
const EVERY_ANSWER = {
  "Access-Control-Allow-Origin": "*",
  "Access-Control-Expose-Headers": "X-Request-Id, RateLimit, RateLimit-Policy, Retry-After",
  "X-Content-Type-Options": "nosniff",
};

/** The public listener's answers. The app answers a `Request` without a socket. */
export function createPublicApp(parts: PublicAppParts): PublicApp {
  const contexts = new WeakMap<Request, RequestContext>();
  const contextOf = (request: Request) => contexts.get(request)!;
  const routes = mountRoutes(parts, contextOf);
  const app = withErrors(routes, contextOf);
  const preflightHeaders = headersOfPreflight(allMethods(routes.routes));
  const requestLog = new RequestLog(parts.log);

  return async (request, peer, keepOpen = () => {}) => {
    const startedAt = performance.now();
    const context = newContext(parts.newRequestId(), peer, keepOpen);
    const served = asGet(withReadableUrl(request));
    contexts.set(served, context);
    const isPreflight = request.method === "OPTIONS";
    const response = isPreflight
      ? new Response(null, { status: 204, headers: preflightHeaders })
      : await app.handle(served);
    for (const [name, value] of Object.entries(context.headers)) response.headers.set(name, value);
    response.headers.set("X-Request-Id", context.requestId);
    if (leavesLongBody(served, response.status)) response.headers.set("Connection", "close");
    const milliseconds = performance.now() - startedAt;
    const line = observe(parts.metrics, request, context, response.status, milliseconds);
    requestLog.write(line, startedAt + milliseconds);
    return response;
  };
}

/** Every public route; to add one, use its plugin here. Log line and metrics know a request by its route's pattern. */
function mountRoutes(parts: PublicAppParts, contextOf: ContextOf) {
  const { demoToken } = parts;
  const routes = new Elysia()
    .onBeforeHandle(({ request, route }) => {
      contextOf(request).route = route;
    })
    .use(chatRoute(parts, contextOf))
    .use(embedConfigRoute(parts, contextOf))
    .use(healthRoutes(parts))
    .use(openApiRoute(parts))
    .use(assetRoutes());
  return demoToken === undefined ? routes : routes.use(demoRoute({ ...parts, demoToken }, contextOf));
}

function withErrors(routes: ReturnType<typeof mountRoutes>, contextOf: ContextOf) {
  const methodsAt = routeMethods(routes.routes);
  return new Elysia()
    .onError(({ error: thrown, request }) => {
      const { logFields, requestId } = contextOf(request);
      const error = thrown instanceof NotFoundError ? unknownRoute(request, methodsAt) : thrown;
      Object.assign(logFields, errorFields(error));
      return problemResponse(error, requestId);
    })
    .use(routes);
}

function unknownRoute(request: Request, methodsAt: MethodsAt): ServiceError {
  const methods = methodsAt(new URL(request.url).pathname);
  if (methods.length === 0)
    return new ServiceError("NOT_FOUND", "There is nothing at this path; /openapi.json lists what there is.");
  const allowed = [...methods, "OPTIONS"].join(", ");
  return new ServiceError("METHOD_NOT_ALLOWED", `This path takes ${allowed}.`, {
    headers: { Allow: allowed },
  });
}

function headersOfPreflight(methods: readonly string[]): Record<string, string> {
  return {
    "Access-Control-Allow-Methods": [...methods, "OPTIONS"].join(", "),
    "Access-Control-Allow-Headers": "Authorization, Content-Type, Idempotency-Key",
    "Access-Control-Max-Age": "7200",
  };
}

function newContext(requestId: RequestId, peer: string, keepOpen: () => void): RequestContext {
  return { requestId, peer, keepOpen, route: "unknown", headers: { ...EVERY_ANSWER }, logFields: {} };
}

/** The listener leaves out the body of an answer to HEAD, and keeps its length. */
function asGet(request: Request): Request {
  return request.method === "HEAD" ? new Request(request, { method: "GET" }) : request;
}

/** Counts an answer. @returns its line of the log. */
function observe(
  metrics: ObserveParts["metrics"],
  request: Request,
  { requestId, route, logFields }: RequestContext,
  status: number,
  milliseconds: number,
): RequestLine {
  metrics.requests.inc({ route, status: String(status) });
  metrics.requestSeconds.observe({ route }, milliseconds / 1000);
  const ms = Math.round(milliseconds * 100) / 100;
  const line = { requestId, method: request.method, route, status, ms };
  return { ...line, ...logFields };
}
