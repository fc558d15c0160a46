import type { Logger } from "pino";

import type { RequestId } from "../domain/ids.ts";
import { requestLog } from "../log/request-log.ts";
import type { Metrics } from "../metrics.ts";
import { chatEventsEndpoint, type ChatEventsParts } from "./chat-events.ts";
import { leavesLongBody } from "./chat-request.ts";
import { chatEndpoint, type ChatParts } from "./chat.ts";
import { embedConfigEndpoint, type EmbedConfigParts } from "./embed-config.ts";
import { type Endpoint, endpointsByPath } from "./endpoint.ts";
import { addEveryAnswerHeader, refuse } from "./every-answer.ts";
import { feedbackEndpoint, type FeedbackParts } from "./feedback.ts";
import { handoffEndpoint, type HandoffRouteParts } from "./handoff.ts";
import { healthEndpoints, type HealthParts } from "./health.ts";
import type { RequestContext } from "./request-context.ts";
import { withHead } from "./route-methods.ts";
import { asGet, routedAnswers, type RoutedParts, wrongMethod } from "./routed-answers.ts";

/** Answers a request; never throws or rejects. */
export type PublicApp = (request: Request) => Response | Promise<Response>;

/** The parts that the log and the metrics of the public listener use. */
interface ObserveParts {
  log: Logger;
  metrics: Pick<Metrics, "requests">;
}

/** The parts that the public listener uses. */
export interface PublicAppParts
  extends
    ChatParts,
    ChatEventsParts,
    EmbedConfigParts,
    FeedbackParts,
    HandoffRouteParts,
    HealthParts,
    RoutedParts,
    ObserveParts {
  bots: EmbedConfigParts["bots"] & HealthParts["bots"];
  store: ChatEventsParts["store"] & FeedbackParts["store"];
  log: ObserveParts["log"];
  metrics: ObserveParts["metrics"] & ChatParts["metrics"];
  newRequestId: () => RequestId;
}

/**
 * The public listener, as a function without a socket. Endpoints are found by their path here, which saves Elysia's overhead
 * (docs/decisions.md); Elysia handles the paths that are none of theirs.
 */
export function createPublicApp(parts: PublicAppParts): PublicApp {
  const endpoints = endpointsOf(parts);
  const endpointAt = endpointsByPath(endpoints);
  const answerRouted = routedAnswers(parts);
  const preflightHeaders = headersOfPreflight(endpoints);
  const answerElsewhere = async (context: RequestContext) =>
    addEveryAnswerHeader(await answerRouted(context));
  const observe = observer(parts);
  const finish = (context: RequestContext, response: Response, startedAt: number) => {
    addHeaders(response, context);
    observe(context, response.status, performance.now() - startedAt);
    return response;
  };

  return (received) => {
    const startedAt = performance.now();
    const context = newContext(parts.newRequestId(), received);
    const endpoint = endpointAt(received);
    const answer =
      received.method === "OPTIONS"
        ? addEveryAnswerHeader(new Response(null, { status: 204, headers: preflightHeaders }))
        : endpoint === undefined
          ? answerElsewhere(context)
          : answerAt(endpoint, context);
    if (!(answer instanceof Promise)) return finish(context, answer, startedAt);
    return answer.then((response) => finish(context, response, startedAt));
  };
}

/** The most frequently used endpoints; add new ones here. Log and metrics identify a request by its path. */
function endpointsOf(parts: PublicAppParts): readonly Endpoint[] {
  return [
    chatEndpoint(parts),
    embedConfigEndpoint(parts),
    feedbackEndpoint(parts),
    handoffEndpoint(parts),
    chatEventsEndpoint(parts),
    ...healthEndpoints(parts),
  ];
}

function answerAt(endpoint: Endpoint, context: RequestContext): Response | Promise<Response> {
  try {
    if (context.method === "HEAD" && endpoint.method === "GET") context.request = asGet(context.received);
    else if (context.method !== endpoint.method) throw wrongMethod(withHead([endpoint.method]));
    context.route = endpoint.path;
    const answer = endpoint.answer(context);
    return answer instanceof Promise ? answer.catch((error: unknown) => refuse(error, context)) : answer;
  } catch (error) {
    return refuse(error, context);
  }
}

/** Headers that let pages of other origins send to any path. */
function headersOfPreflight(endpoints: readonly Endpoint[]): Record<string, string> {
  return {
    "Access-Control-Allow-Methods": [...withHead(endpoints.map(({ method }) => method)), "OPTIONS"].join(
      ", ",
    ),
    "Access-Control-Allow-Headers": "Authorization, Content-Type, Idempotency-Key, Last-Event-ID",
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

function addHeaders({ headers, status }: Response, context: RequestContext): void {
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
