import type { Logger } from "pino";

import { ignoredForwarding } from "../access/client-address.ts";
import {
  type Admitted,
  admittedMessage,
  type ChatBody,
  type IncomingRequest,
} from "../chat/admission/admit.ts";
import type { Answered, Listener, Message } from "../chat/message.ts";
import type { ChatResponse } from "../domain/chat.ts";
import type { Metrics } from "../metrics.ts";
import { acceptsEventStream, AnswerStream } from "./answer-stream.ts";
import { readChatRequest } from "./chat-request.ts";
import type { Endpoint } from "./endpoint.ts";
import { errorFields, problemOf } from "./errors.ts";
import { jsonAnswer } from "./every-answer.ts";
import { noteBotId, type RequestContext } from "./request-context.ts";
import { readIdempotencyKey } from "./request-headers.ts";
import { type VisitorParts, visitorRequest } from "./visitor-request.ts";

/** The parts that POST /chat uses. */
export interface ChatParts extends VisitorParts {
  admit: (request: IncomingRequest<ChatBody>) => Promise<Admitted<ChatBody>>;
  answer: (message: Message, listener: Listener) => Promise<Answered>;
  log: Pick<Logger, "error">;
  metrics: Pick<Metrics, "ignoredForwarding">;
}

/** POST /chat: admit → answer → wire shape, whole or as a stream. */
export function chatEndpoint(parts: ChatParts): Endpoint {
  return { method: "POST", path: "/chat", answer: (context) => postChat(parts, context) };
}

async function postChat(parts: ChatParts, context: RequestContext): Promise<Response> {
  const { request, received, requestId } = context;
  const incoming = incomingRequest(parts, context);
  const { clientAddress } = incoming;
  const message = admittedMessage(await parts.admit(incoming), { requestId, clientAddress });
  parts.connections.keepOpen(received);
  if (!acceptsEventStream(request.headers.get("accept"))) {
    return jsonAnswer(await responseOf(context, parts.answer(message, { left: request.signal })));
  }
  const stream = new AnswerStream(request.signal, {
    describe: (error) => problemOf(error, requestId),
    report: (error) => reportBreak(parts, context, error),
  });
  return stream.send(responseOf(context, parts.answer(message, stream.listener)));
}

/** A repeated answer keeps the id of the first one, so that ratings and `explain` work with either. */
async function responseOf(context: RequestContext, answered: Promise<Answered>): Promise<ChatResponse> {
  const { requestId, response } = await answered;
  if (requestId !== context.requestId) {
    context.requestId = requestId;
    context.logFields = { ...context.logFields, isRepeat: true };
  }
  return response;
}

function incomingRequest(parts: ChatParts, context: RequestContext): IncomingRequest<ChatBody> {
  const peer = parts.connections.peerOf(context.received);
  const xForwardedFor = context.request.headers.get("x-forwarded-for");
  const ignored = ignoredForwarding(peer, xForwardedFor, parts.trustedProxies);
  if (ignored !== undefined) parts.metrics.ignoredForwarding.inc({ peer: ignored });
  return visitorRequest(parts, context, () => readChatBody(context));
}

async function readChatBody(context: RequestContext): Promise<ChatBody> {
  const { request } = context;
  const chatRequest = await readChatRequest(request);
  const idempotencyKey = readIdempotencyKey(request.headers.get("idempotency-key"));
  noteBotId(context, chatRequest.botId);
  return { ...chatRequest, ...(idempotencyKey !== undefined && { idempotencyKey }) };
}

/** The stream's status was sent already, so the error is only logged. */
function reportBreak({ log }: ChatParts, { requestId }: RequestContext, error: unknown): void {
  log.error({ requestId, ...errorFields(error) }, "an answer broke off");
}
