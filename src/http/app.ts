import { Elysia, NotFoundError } from "elysia";
import type { Logger } from "pino";

import { ServiceError } from "../domain/errors.ts";
import type { EmbedToken, RequestId } from "../domain/ids.ts";
import { requestLog } from "../log/request-log.ts";
import type { Metrics } from "../metrics.ts";
import { assetRoutes } from "./assets.ts";
import { type ChatParts, chatEndpoint } from "./chat.ts";
import { demoRoute } from "./demo.ts";
import { type EmbedConfigParts, embedConfigEndpoint } from "./embed-config.ts";
import { type Endpoint, findEndpointIn } from "./endpoint.ts";
import { errorCode, errorDetails, problemResponse } from "./errors.ts";
import { type HealthParts, healthEndpoints } from "./health.ts";
import { openApiRoute } from "./openapi.ts";
import { withReadableUrl } from "./readable-url.ts";
import type { ContextOf, RequestContext } from "./request-context.ts";
import { type MethodsAt, allMethods, routeMethods } from "./route-methods.ts";
import { leavesLongBody } from "./unread-body.ts";

/** Answers a request; never throws, and is never rejected. */
export type PublicApp = (request: Request) => Response | Promise<Response>;

/** The parts that the log and the metrics of the public listener use. */
interface ObserveParts {
  log: Logger;
  metrics: Pick<Metrics, "requests">;
}

/** The parts that the public listener uses: those of its routes, and its own. */
export interface PublicAppParts extends ChatParts, EmbedConfigParts, HealthParts, ObserveParts {
  bots: EmbedConfigParts["bots"] & HealthParts["bots"];
  log: ObserveParts["log"];
  metrics: ObserveParts["metrics"] & ChatParts["metrics"];
  newRequestId: () => RequestId;
  /** The embed token of the demo pages; without one, there are none. */
  demoToken?: EmbedToken;
}

/** Authority comes from the token and the domain check, never from CORS: any origin may read any answer (decisions §5). */
const EVERY_ANSWER = Object.entries({
  "Access-Control-Allow-Origin": "*",
  "Access-Control-Expose-Headers": "X-Request-Id, RateLimit, RateLimit-Policy, Retry-After",
  "X-Content-Type-Options": "nosniff",
});

/**
 * The public listener's answers. The app answers a `Request` without a socket. Endpoints whose path is spelt as they are found
 * here, which spares them half of their time; Elysia finds everything else, and them too, however a path is spelt.
 */
export function createPublicApp(parts: PublicAppParts): PublicApp {
  const endpoints = endpointsOf(parts);
  const findEndpoint = findEndpointIn(endpoints);
  const answerRouted = routedAnswers(parts, endpoints);
  const observe = observer(parts);
  const finish = (context: RequestContext, response: Response, startedAt: number) => {
    addHeaders(response, context);
    observe(context, response.status, performance.now() - startedAt);
    return response;
  };

  return (received) => {
    const startedAt = performance.now();
    const context = newContext(parts.newRequestId(), received);
    const endpoint = findEndpoint(received);
    const answer = endpoint === undefined ? answerRouted(context) : answerAt(endpoint, context);
    if (!(answer instanceof Promise)) return finish(context, answer, startedAt);
    return answer.then((response) => finish(context, response, startedAt));
  };
}

/** The endpoints that are asked most. */
function endpointsOf(parts: PublicAppParts): readonly Endpoint[] {
  return [chatEndpoint(parts), embedConfigEndpoint(parts), ...healthEndpoints(parts)];
}

function answerAt(endpoint: Endpoint, context: RequestContext): Response | Promise<Response> {
  context.route = endpoint.path;
  try {
    const answer = endpoint.answer(context);
    return answer instanceof Promise ? answer.catch((error: unknown) => refuse(error, context)) : answer;
  } catch (error) {
    return refuse(error, context);
  }
}

/** Answers by Elysia's routes. */
function routedAnswers(parts: PublicAppParts, endpoints: readonly Endpoint[]) {
  const contexts = new WeakMap<Request, RequestContext>();
  const contextOf = (request: Request) => contexts.get(request)!;
  const routes = mountRoutes(parts, endpoints, contextOf);
  const app = withErrors(routes, contextOf);
  const preflightHeaders = headersOfPreflight(allMethods(routes.routes));
  return (context: RequestContext): Response | Promise<Response> => {
    const { received } = context;
    if (received.method === "OPTIONS") return new Response(null, { status: 204, headers: preflightHeaders });
    context.request = asGet(withReadableUrl(received));
    contexts.set(context.request, context);
    return app.handle(context.request);
  };
}

/** Every public route; to add one, use its plugin here. Log line and metrics know a request by its route's pattern. */
function mountRoutes(parts: PublicAppParts, endpoints: readonly Endpoint[], contextOf: ContextOf) {
  const { demoToken } = parts;
  const routes = new Elysia()
    .onBeforeHandle(({ request, route }) => {
      contextOf(request).route = route;
    })
    .use(endpointRoutes(endpoints, contextOf))
    .use(openApiRoute(parts))
    .use(assetRoutes());
  return demoToken === undefined ? routes : routes.use(demoRoute({ ...parts, demoToken }, contextOf));
}

function endpointRoutes(endpoints: readonly Endpoint[], contextOf: ContextOf) {
  const routes = new Elysia();
  for (const endpoint of endpoints) {
    routes.route(endpoint.method, endpoint.path, ({ request }) => endpoint.answer(contextOf(request)), {
      parse: "none",
    });
  }
  return routes;
}

function withErrors(routes: ReturnType<typeof mountRoutes>, contextOf: ContextOf) {
  const methodsAt = routeMethods(routes.routes);
  return new Elysia()
    .onError(({ error: thrown, request }) => {
      const error = thrown instanceof NotFoundError ? unknownRoute(request, methodsAt) : thrown;
      return refuse(error, contextOf(request));
    })
    .use(routes);
}

function refuse(error: unknown, context: RequestContext): Response {
  context.code = errorCode(error);
  const details = errorDetails(error);
  if (details !== undefined) context.logFields = { ...context.logFields, ...details };
  return problemResponse(error, context.requestId);
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

function newContext(requestId: RequestId, received: Request): RequestContext {
  return {
    requestId,
    method: received.method,
    received,
    request: received,
    route: "unknown",
    headers: undefined,
    botId: undefined,
    code: undefined,
    logFields: undefined,
  };
}

/** The listener leaves out the body of an answer to HEAD, and keeps its length. */
function asGet(request: Request): Request {
  return request.method === "HEAD" ? new Request(request, { method: "GET" }) : request;
}

function addHeaders({ headers, status }: Response, context: RequestContext): void {
  for (const [name, value] of EVERY_ANSWER) headers.set(name, value);
  for (const name in context.headers) headers.set(name, context.headers[name]!);
  headers.set("X-Request-Id", context.requestId);
  if (leavesLongBody(context.request, status)) headers.set("Connection", "close");
}

function observer({ log, metrics }: ObserveParts) {
  const logRequest = requestLog(log);
  return (context: RequestContext, status: number, milliseconds: number) => {
    metrics.requests.count(context.route, status, milliseconds / 1000);
    logRequest(context, status, Math.round(milliseconds * 100) / 100);
  };
}
