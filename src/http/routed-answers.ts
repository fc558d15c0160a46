import { Elysia, NotFoundError } from "elysia";

import type { BotRegistry } from "../bots/registry.ts";
import type { PublicAddresses } from "../config/addresses.ts";
import { ServiceError } from "../domain/errors.ts";
import type { EmbedToken } from "../domain/ids.ts";
import type { EmbedTokenCache } from "../store/embed-token-cache.ts";
import type { ServedAssets } from "./asset-sets.ts";
import { assetRoutes } from "./assets.ts";
import { demoRoute } from "./demo.ts";
import { withReadableUrl } from "./endpoint.ts";
import { refuse } from "./every-answer.ts";
import { openApiRoute } from "./openapi.ts";
import type { ContextOf, RequestContext } from "./request-context.ts";
import { type MethodsAt, routeMethods } from "./route-methods.ts";

/** The parts of routes that are not endpoints. */
export interface RoutedParts {
  bots: Pick<BotRegistry, "headOf" | "readDocument">;
  addresses: () => PublicAddresses;
  /** Embed token of the demo pages; absent: no demo pages. */
  demoToken?: EmbedToken;
  embedTokens: Pick<EmbedTokenCache, "find">;
  assets: ServedAssets;
}

/** Answers requests with Elysia's routes. */
export function routedAnswers(parts: RoutedParts) {
  const contexts = new WeakMap<Request, RequestContext>();
  const contextOf = (request: Request) => contexts.get(request)!;
  const app = withErrors(mountRoutes(parts, contextOf), contextOf);
  return (context: RequestContext): Response | Promise<Response> => {
    context.request = asGet(withReadableUrl(context.received));
    contexts.set(context.request, context);
    return app.handle(context.request);
  };
}

/** Routes with patterns, and those asked for seldom; add new ones here. Log and metrics identify a request by its route's pattern. */
function mountRoutes(parts: RoutedParts, contextOf: ContextOf) {
  const { demoToken, assets } = parts;
  const routes = new Elysia()
    .onBeforeHandle(({ request, route }) => {
      contextOf(request).route = route;
    })
    .use(openApiRoute(parts))
    .use(assetRoutes(assets));
  return demoToken === undefined ? routes : routes.use(demoRoute({ ...parts, demoToken }, contextOf));
}

function withErrors(routes: ReturnType<typeof mountRoutes>, contextOf: ContextOf) {
  const app = new Elysia().onError(({ error: thrown, request }) => {
    const error = thrown instanceof NotFoundError ? unknownRoute(request, methodsAt) : thrown;
    return refuse(error, contextOf(request));
  });
  const whole = app.use(routes);
  const methodsAt = routeMethods(whole);
  return whole;
}

function unknownRoute(request: Request, methodsAt: MethodsAt): ServiceError {
  const methods = methodsAt(new URL(request.url).pathname);
  if (methods.length > 0) return wrongMethod(methods);
  return new ServiceError("NOT_FOUND", "There is no such path; /openapi.json lists the paths.");
}

/** @param methods those that the path takes, beside OPTIONS */
export function wrongMethod(methods: readonly string[]): ServiceError {
  const allowed = [...methods, "OPTIONS"].join(", ");
  return new ServiceError("METHOD_NOT_ALLOWED", `This path takes ${allowed}.`, {
    headers: { Allow: allowed },
  });
}

/** For HEAD, the listener drops the body and keeps its length. */
export function asGet(request: Request): Request {
  return request.method === "HEAD" ? new Request(request, { method: "GET" }) : request;
}
