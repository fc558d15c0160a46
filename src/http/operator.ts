import { Elysia, NotFoundError } from "elysia";
import type { Logger } from "pino";

import { clientAddress, type TrustedProxies } from "../access/client-address.ts";
import { isIpHost, parseHostAndPort } from "../access/web-origin.ts";
import { ServiceError } from "../domain/errors.ts";
import type { RequestId } from "../domain/ids.ts";
import type { Metrics } from "../metrics.ts";
import { storageFailure } from "../store/sqlite/failure.ts";
import { type ApiRequestFacts, type Gate, logOperatorError, mountApi } from "./api/mount.ts";
import { type ApiParts, apiRoutes } from "./api/routes.ts";
import type { ServedAssets } from "./asset-sets.ts";
import { leavesLongBody } from "./chat-request.ts";
import { createConsole } from "./console.ts";
import { withReadableUrl } from "./endpoint.ts";
import { problemResponse } from "./errors.ts";
import type { AssertReady } from "./health.ts";
import type { Connections } from "./request-context.ts";
import { type MethodsAt, routeMethods } from "./route-methods.ts";
import { asGet } from "./routed-answers.ts";

/** The parts that the operator listener uses, beside those of its routes. */
export interface OperatorParts {
  metrics: Pick<Metrics, "expose" | "contentType" | "ready">;
  assertReady: AssertReady;
  log: Pick<Logger, "warn" | "error">;
  newRequestId: () => RequestId;
  /** Public address of the listener, allowed besides loopback and IP addresses. */
  operatorUrl?: string | undefined;
  trustedProxies: TrustedProxies;
  connections: Connections;
  gate: Gate;
  assets: ServedAssets;
  api: ApiParts;
}

type AnswerConsole = ReturnType<typeof createConsole>;

type RequestState = ApiRequestFacts & { methodsAt: MethodsAt };

/**
 * The operator listener: `/metrics` in the Prometheus text format, the operator API, and the console at all other addresses. By default
 * only on loopback.
 */
export function createOperatorApp(parts: OperatorParts): (request: Request) => Promise<Response> {
  const { operatorUrl, gate, log } = parts;
  const states = new WeakMap<Request, RequestState>();
  const stateOf = (request: Request) => states.get(request)!;
  const api = mountApi(apiRoutes(parts.api), { gate, log, operatorUrl, factsOf: stateOf });
  const methodsAt = routeMethods(api);
  const answerConsole = createConsole(parts.assets, () => parts.api.addresses().publicUrl);
  const routes = new Elysia()
    .onError(({ error, request }) =>
      errorResponse({ ...parts, answerConsole }, error, request, stateOf(request)),
    )
    .onRequest(({ request }) => refuseForeignHost(request.headers.get("host"), operatorUrl))
    .get("/metrics", () => getMetrics(parts))
    .use(api);
  return async (received) => {
    const served = asGet(withReadableUrl(received));
    const state = { ...factsOf(parts, received), methodsAt };
    states.set(served, state);
    const response = await routes.handle(served);
    response.headers.set("X-Request-Id", state.requestId);
    if (leavesLongBody(served, response.status)) response.headers.set("Connection", "close");
    return response;
  };
}

function factsOf(
  { newRequestId, trustedProxies, connections }: OperatorParts,
  received: Request,
): ApiRequestFacts {
  return {
    requestId: newRequestId(),
    clientAddress: clientAddress(
      connections.peerOf(received),
      received.headers.get("x-forwarded-for"),
      trustedProxies,
    ),
    keepOpen: () => connections.keepOpen(received),
  };
}

/** The reason for not being ready is reported by `/readyz` and the log. */
async function getMetrics({ metrics, assertReady }: OperatorParts): Promise<Response> {
  metrics.ready.set(
    await assertReady().then(
      () => 1,
      () => 0,
    ),
  );
  return new Response(await metrics.expose(), { headers: { "Content-Type": metrics.contentType } });
}

async function errorResponse(
  { log, gate, answerConsole }: OperatorParts & { answerConsole: AnswerConsole },
  thrown: unknown,
  request: Request,
  { requestId, methodsAt }: RequestState,
): Promise<Response> {
  if (thrown instanceof NotFoundError) {
    const answer = await unknownRoute(request, methodsAt, gate, answerConsole);
    return answer instanceof Response ? answer : problemResponse(answer, requestId);
  }
  // A lock or a full disk is not a defect.
  const error = storageFailure(thrown);
  // Work aborted because its client left is not logged.
  if (thrown !== request.signal.reason) logOperatorError(log, error, requestId);
  return problemResponse(error, requestId);
}

/** The console, where a browser asks for it. Where there is no operator to ask, nothing is told of it, nor of the API. */
async function unknownRoute(
  request: Request,
  methodsAt: MethodsAt,
  gate: Gate,
  answerConsole: AnswerConsole,
): Promise<unknown> {
  try {
    await gate.assertOpen();
  } catch (error) {
    return error;
  }
  const methods = methodsAt(new URL(request.url).pathname);
  if (methods.length === 0) {
    const page = await answerConsole(request);
    if (page !== undefined) return page;
    return new ServiceError(
      "NOT_FOUND",
      "The operator listener has no such path; /api/openapi.json lists its paths besides /metrics.",
    );
  }
  const allowed = methods.join(", ");
  return new ServiceError("METHOD_NOT_ALLOWED", `This path takes ${allowed}.`, {
    headers: { Allow: allowed },
  });
}

/**
 * Rejects requests whose `Host` is neither a loopback name, an IP address, nor that of `--operator-url`. Otherwise a page
 * whose name resolves to this machine (DNS rebinding) could read operators' data.
 *
 * @throws ServiceError FORBIDDEN
 */
function refuseForeignHost(header: string | null, operatorUrl: string | undefined): void {
  const host = parseHostAndPort(header ?? "")?.host;
  if (host !== undefined && (isLoopbackName(host) || isIpHost(host) || host === hostOf(operatorUrl))) return;
  throw new ServiceError(
    "FORBIDDEN",
    "The operator listener answers only to localhost, an IP address or the host of --operator-url; set it to the address that you use.",
    { logFields: { host: header?.slice(0, MAX_LOGGED) } },
  );
}

/** A host name has at most 253 characters. */
const MAX_LOGGED = 260;

/** Names in `.localhost` resolve to the machine itself (RFC 6761 §6.3). */
function isLoopbackName(host: string): boolean {
  return host === "localhost" || host.endsWith(".localhost");
}

function hostOf(url: string | undefined): string | undefined {
  return url === undefined ? undefined : parseHostAndPort(new URL(url).host)?.host;
}
