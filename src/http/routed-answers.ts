import { Elysia, NotFoundError } from "elysia";

import type { BotRegistry } from "../bots/registry.ts";
import type { PublicAddresses } from "../config/addresses.ts";
import { ServiceError } from "../domain/errors.ts";
import type { EmbedToken } from "../domain/ids.ts";
import type { ServedAssets } from "./asset-sets.ts";
import { assetRoutes } from "./assets.ts";
import { demoRoute } from "./demo.ts";
import type { Endpoint } from "./endpoint.ts";
import { openApiRoute } from "./openapi.ts";
import { withReadableUrl } from "./readable-url.ts";
import { refuse } from "./refuse.ts";
import type { ContextOf, RequestContext } from "./request-context.ts";
import { type MethodsAt, allMethods, routeMethods } from "./route-methods.ts";

/** The parts of routes that are not endpoints. */
export interface RoutedParts {
  bots: Pick<BotRegistry, "headOf" | "readDocument">;
  addresses: () => PublicAddresses;
  /** Embed token of the demo pages; absent: no demo pages. */
  demoToken?: EmbedToken;
  assets: ServedAssets;
}

/** Answers requests with Elysia's routes. */
export function routedAnswers(parts: RoutedParts, endpoints: readonly Endpoint[]) {
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

/** All public routes; add new ones here. Log and metrics identify a request by its route's pattern. */
function mountRoutes(parts: RoutedParts, endpoints: readonly Endpoint[], contextOf: ContextOf) {
  const { demoToken, assets } = parts;
  const routes = new Elysia()
    .onBeforeHandle(({ request, route }) => {
      contextOf(request).route = route;
    })
    .use(endpointRoutes(endpoints, contextOf))
    .use(openApiRoute(parts))
    .use(assetRoutes(assets));
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

function unknownRoute(request: Request, methodsAt: MethodsAt): ServiceError {
  const methods = methodsAt(new URL(request.url).pathname);
  if (methods.length === 0)
    return new ServiceError("NOT_FOUND", "There is no such path; /openapi.json lists the paths.");
  const allowed = [...methods, "OPTIONS"].join(", ");
  return new ServiceError("METHOD_NOT_ALLOWED", `This path takes ${allowed}.`, {
    headers: { Allow: allowed },
  });
}

function headersOfPreflight(methods: readonly string[]): Record<string, string> {
  return {
    "Access-Control-Allow-Methods": [...methods, "OPTIONS"].join(", "),
    "Access-Control-Allow-Headers": "Authorization, Content-Type, Idempotency-Key, Last-Event-ID",
    "Access-Control-Max-Age": "7200",
  };
}

/** For HEAD, the listener drops the body and keeps its length. */
function asGet(request: Request): Request {
  return request.method === "HEAD" ? new Request(request, { method: "GET" }) : request;
}
