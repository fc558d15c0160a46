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
import type { Endpoint } from "./endpoint.ts";
import { errorFields, problemOf } from "./errors.ts";
import { answerHeaders } from "./every-answer.ts";
import { type Connections, type RequestContext, noteBotId } from "./request-context.ts";

/** The parts that POST /chat uses. */
export interface ChatParts {
  admit: (request: IncomingRequest<ChatBody>) => Promise<Admitted<ChatBody>>;
  answer: (message: Message, listener: Listener) => Promise<ChatResponse>;
  trustedProxies: TrustedProxies;
  connections: Connections;
  log: Pick<Logger, "error">;
  metrics: Pick<Metrics, "ignoredForwarding">;
}

const IDEMPOTENCY_KEY = /^[\x21-\x7e]{1,255}$/;

/** POST /chat: admit → answer → wire shape, whole or as a stream. */
export function chatEndpoint(parts: ChatParts): Endpoint {
  return { method: "POST", path: "/chat", answer: (context) => postChat(parts, context) };
}

async function postChat(parts: ChatParts, context: RequestContext): Promise<Response> {
  const { request, received, requestId } = context;
  const admitted = await parts.admit(incomingRequest(parts, context));
  const message = admittedMessage(admitted, requestId);
  parts.connections.keepOpen(received);
  if (!acceptsEventStream(request.headers.get("accept"))) {
    return chatJson(await parts.answer(message, { left: request.signal }));
  }
  const stream = new AnswerStream(request.signal, {
    describe: (error) => problemOf(error, requestId),
    report: (error) => reportBreak(parts, context, error),
  });
  return stream.send(parts.answer(message, stream.listener));
}

function incomingRequest(
  { trustedProxies, connections, metrics }: ChatParts,
  context: RequestContext,
): IncomingRequest<ChatBody> {
  const { headers } = context.request;
  const peer = connections.peerOf(context.received);
  const xForwardedFor = headers.get("x-forwarded-for");
  const ignored = ignoredForwarding(peer, xForwardedFor, trustedProxies);
  if (ignored !== undefined) metrics.ignoredForwarding.inc({ peer: ignored });
  return {
    authorization: headers.get("authorization"),
    clientAddress: clientAddress(peer, xForwardedFor, trustedProxies),
    source: { origin: headers.get("origin"), referer: headers.get("referer") },
    readBody: () => readChatBody(context),
    onBucket: (limit, state) => {
      context.headers = rateLimitHeaders(limit, state);
    },
  };
}

async function readChatBody(context: RequestContext): Promise<ChatBody> {
  const { request } = context;
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
function reportBreak({ log }: ChatParts, { requestId }: RequestContext, error: unknown): void {
  log.error({ requestId, ...errorFields(error) }, "an answer broke off");
}

const JSON_HEADERS = answerHeaders({ "Content-Type": "application/json", "Cache-Control": "no-store" });

function chatJson(body: ChatResponse): Response {
  return new Response(JSON.stringify(body), { headers: JSON_HEADERS });
}
