import { Elysia, NotFoundError } from "elysia";

import type { PublicAddresses } from "../chat/embed.ts";
import { ServiceError } from "../domain/errors.ts";
import { newRequestId } from "../domain/ids.ts";
import type { Runtime } from "../runtime.ts";
import { assetRoutes } from "./assets.ts";
import { chatRoute } from "./chat.ts";
import { demoRoute } from "./demo.ts";
import { embedConfigRoute } from "./embed-config.ts";
import { errorFields, problemResponse } from "./errors.ts";
import { healthRoutes } from "./health.ts";
import { openApiRoute } from "./openapi.ts";
import { withReadableUrl } from "./readable-url.ts";
import type { RequestContext } from "./request-context.ts";

/** Answers a request from the socket's peer; never rejects. `keepOpen` lets the answer take longer than an idle connection may. */
export type PublicApp = (request: Request, peer: string, keepOpen?: () => void) => Promise<Response>;

const READ = ["GET", "HEAD"];

/** What may be done at a path of the public listener; undefined where there is nothing. */
function methodsOf(pathname: string, hasDemo: boolean): readonly string[] | undefined {
  const path = pathname.replace(/\/$/, "");
  if (path === "/chat") return ["POST"];
  const isPage = ["/embed-config", "/healthz", "/readyz", "/openapi.json"].includes(path);
  return isPage || path.startsWith("/cdn/") || (hasDemo && /^\/demo\/[^/]+$/.test(path)) ? READ : undefined;
}

/** Authority comes from the token and the domain check, never from CORS: any origin may read any answer (decisions §5). */
const EVERY_ANSWER = {
  "Access-Control-Allow-Origin": "*",
  "Access-Control-Expose-Headers": "X-Request-Id, RateLimit, RateLimit-Policy, Retry-After",
  "X-Content-Type-Options": "nosniff",
};

const PREFLIGHT = {
  "Access-Control-Allow-Methods": "GET, HEAD, POST, OPTIONS",
  "Access-Control-Allow-Headers": "Authorization, Content-Type, Idempotency-Key",
  "Access-Control-Max-Age": "7200",
};

/** Mounts the public routes. The app answers a `Request` without a socket. */
export function createPublicApp(runtime: Runtime, addresses: () => PublicAddresses): PublicApp {
  const contexts = new WeakMap<Request, RequestContext>();
  const contextOf = (request: Request) => contexts.get(request)!;
  const routes = new Elysia()
    .onError(({ error, request }) => errorResponse(runtime, error, request, contextOf(request)))
    .use(chatRoute(runtime, contextOf))
    .use(embedConfigRoute(runtime, addresses, contextOf))
    .use(healthRoutes(runtime, contextOf))
    .use(openApiRoute(addresses, contextOf))
    .use(assetRoutes(contextOf))
    .use(demoRoute(runtime, addresses, contextOf));

  return async (request, peer, keepOpen = () => {}) => {
    const startedAt = performance.now();
    const context: RequestContext = {
      requestId: newRequestId(runtime.now(), runtime.randomBytes),
      peer,
      keepOpen,
      route: "unknown",
      headers: { ...EVERY_ANSWER },
      logFields: {},
    };
    const readable = withReadableUrl(request);
    // The listener leaves out the body of an answer to HEAD, and keeps its length.
    const served = request.method === "HEAD" ? new Request(readable, { method: "GET" }) : readable;
    contexts.set(served, context);
    const response = request.method === "OPTIONS" ? preflight() : await routes.handle(served);
    for (const [name, value] of Object.entries(context.headers)) response.headers.set(name, value);
    response.headers.set("X-Request-Id", context.requestId);
    observe(runtime, request, context, response.status, performance.now() - startedAt);
    return response;
  };
}

function preflight(): Response {
  return new Response(null, { status: 204, headers: PREFLIGHT });
}

function errorResponse(
  runtime: Runtime,
  thrown: unknown,
  request: Request,
  context: RequestContext,
): Response {
  const error =
    thrown instanceof NotFoundError ? unknownRoute(request, runtime.demoToken !== undefined) : thrown;
  Object.assign(context.logFields, errorFields(error));
  return problemResponse(error, context.requestId);
}

function unknownRoute(request: Request, hasDemo: boolean): ServiceError {
  const methods = methodsOf(new URL(request.url).pathname, hasDemo);
  if (!methods)
    return new ServiceError("NOT_FOUND", "There is nothing at this path; /openapi.json lists what there is.");
  const allowed = [...methods, "OPTIONS"].join(", ");
  return new ServiceError("METHOD_NOT_ALLOWED", `This path takes ${allowed}.`, {
    headers: { Allow: allowed },
  });
}

function observe(
  { log, metrics }: Pick<Runtime, "log" | "metrics">,
  request: Request,
  { requestId, route, logFields }: RequestContext,
  status: number,
  milliseconds: number,
): void {
  metrics.requests.inc({ route, status: String(status) });
  metrics.requestSeconds.observe({ route }, milliseconds / 1000);
  const line = {
    requestId,
    method: request.method,
    route,
    status,
    ms: Math.round(milliseconds * 100) / 100,
    ...logFields,
  };
  if (status >= 500) log.error(line, "request failed");
  else log.info(line, "request");
}
