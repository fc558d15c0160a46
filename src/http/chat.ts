import { Elysia } from "elysia";
import type { Logger } from "pino";

import { type TrustedProxies, clientAddress, ignoredForwarding } from "../access/client-address.ts";
import { rateLimitHeaders } from "../access/rate-limit-headers.ts";
import type { Admitted, IncomingRequest } from "../chat/admission/admit.ts";
import { type ChatBody, admittedMessage } from "../chat/admission/admitted-message.ts";
import type { Listener, Message } from "../chat/message.ts";
import type { ChatResponse } from "../domain/chat.ts";
import { ServiceError } from "../domain/errors.ts";
import type { Metrics } from "../metrics.ts";
import { AnswerStream, acceptsEventStream } from "./answer-stream.ts";
import { readChatRequest } from "./chat-request.ts";
import { errorFields, problemOf } from "./errors.ts";
import { type ContextOf, type RequestContext, noteBotId } from "./request-context.ts";

/** The parts that POST /chat uses. */
export interface ChatRouteParts {
  admit: (request: IncomingRequest<ChatBody>) => Promise<Admitted<ChatBody>>;
  answer: (message: Message, listener: Listener) => Promise<ChatResponse>;
  trustedProxies: TrustedProxies;
  log: Pick<Logger, "error">;
  metrics: Pick<Metrics, "ignoredForwarding">;
}

const IDEMPOTENCY_KEY = /^[\x21-\x7e]{1,255}$/;

/** POST /chat: admit → answer → wire shape, whole or as a stream. */
export function chatRoute(parts: ChatRouteParts, contextOf: ContextOf) {
  return new Elysia().post("/chat", ({ request }) => postChat(parts, request, contextOf(request)), {
    parse: "none",
  });
}

async function postChat(parts: ChatRouteParts, request: Request, context: RequestContext): Promise<Response> {
  const admitted = await parts.admit(incomingRequest(parts, request, context));
  const message = admittedMessage(admitted, context.requestId);
  context.keepOpen();
  if (!acceptsEventStream(request.headers.get("accept"))) {
    return chatJson(await parts.answer(message, { left: request.signal }));
  }
  const stream = new AnswerStream(request.signal, {
    describe: (error) => problemOf(error, context.requestId),
    report: (error) => reportBreak(parts, context, error),
  });
  return stream.send(parts.answer(message, stream.listener));
}

function incomingRequest(
  { trustedProxies, metrics }: ChatRouteParts,
  request: Request,
  context: RequestContext,
): IncomingRequest<ChatBody> {
  const { headers } = request;
  const xForwardedFor = headers.get("x-forwarded-for");
  const ignored = ignoredForwarding(context.peer, xForwardedFor, trustedProxies);
  if (ignored !== undefined) metrics.ignoredForwarding.inc({ peer: ignored });
  return {
    authorization: headers.get("authorization"),
    clientAddress: clientAddress(context.peer, xForwardedFor, trustedProxies),
    source: { origin: headers.get("origin"), referer: headers.get("referer") },
    readBody: () => readChatBody(request, context),
    onBucket: (limit, state) => Object.assign(context.headers, rateLimitHeaders(limit, state)),
  };
}

async function readChatBody(request: Request, context: RequestContext): Promise<ChatBody> {
  const chatRequest = await readChatRequest(request);
  const idempotencyKey = readIdempotencyKey(request.headers.get("idempotency-key"));
  noteBotId(context, chatRequest.botId);
  return { ...chatRequest, ...(idempotencyKey !== undefined && { idempotencyKey }) };
}

function readIdempotencyKey(header: string | null): string | undefined {
  if (header === null) return undefined;
  if (IDEMPOTENCY_KEY.test(header)) return header;
  throw new ServiceError(
    "INVALID_REQUEST",
    "The Idempotency-Key header must be 1 to 255 visible ASCII characters, such as a UUID.",
  );
}

/** The stream has its status already; the log says what became of it. */
function reportBreak({ log }: ChatRouteParts, { requestId }: RequestContext, error: unknown): void {
  log.error({ requestId, ...errorFields(error) }, "an answer broke off");
}

function chatJson(body: ChatResponse): Response {
  return new Response(JSON.stringify(body), {
    headers: { "Content-Type": "application/json", "Cache-Control": "no-store" },
  });
}
