import { Elysia } from "elysia";

import { clientAddress } from "../access/client-address.ts";
import { rateLimitHeaders } from "../access/rate-limit-headers.ts";
import { admitCaller, admitMessage } from "../chat/admit.ts";
import { answerOnce, idempotencyKeyOf } from "../chat/idempotency.ts";
import { answerTurn } from "../chat/turn.ts";
import { ServiceError } from "../domain/errors.ts";
import type { Runtime } from "../runtime.ts";
import { readChatRequest } from "./chat-request.ts";
import { errorFields, problemOf } from "./errors.ts";
import { type AnswerInStream, acceptsEventStream, streamAnswer } from "./event-stream.ts";
import { type ContextOf, type RequestContext, noteBotId } from "./request-context.ts";

const IDEMPOTENCY_KEY = /^[\x21-\x7e]{1,255}$/;

/** POST /chat: parse → admit → answerTurn → wire shape. */
export function chatRoute(runtime: Runtime, contextOf: ContextOf) {
  return new Elysia().post("/chat", ({ request }) => postChat(runtime, request, contextOf(request)), {
    parse: "none",
  });
}

async function postChat(runtime: Runtime, request: Request, context: RequestContext): Promise<Response> {
  context.route = "/chat";
  const { headers } = request;
  const embedToken = await admitCaller(
    runtime,
    {
      authorization: headers.get("authorization"),
      clientAddress: clientAddress(context.peer, headers.get("x-forwarded-for"), runtime.trustedProxies),
    },
    (limit, state) => Object.assign(context.headers, rateLimitHeaders(limit, state)),
  );
  const chatRequest = await readChatRequest(request);
  const key = readIdempotencyKey(headers.get("idempotency-key"));
  noteBotId(context, chatRequest.botId);
  const source = { origin: headers.get("origin"), referer: headers.get("referer") };
  const bot = admitMessage(runtime, embedToken, chatRequest, source);
  const message = { ...chatRequest, bot, requestId: context.requestId };
  const idempotencyKey = key === undefined ? undefined : idempotencyKeyOf(embedToken.key, key, chatRequest);
  const answer: AnswerInStream = (left, follower) => {
    const followed = { ...message, ...(follower && { follower }) };
    if (!idempotencyKey) return answerTurn(runtime, { ...followed, left });
    return answerOnce(runtime, idempotencyKey, left, (nobodyWaits) =>
      answerTurn(runtime, { ...followed, left: nobodyWaits, idempotencyKey }),
    );
  };
  context.keepOpen();
  if (!acceptsEventStream(headers.get("accept"))) return chatJson(await answer(request.signal));
  return streamAnswer(answer, {
    left: request.signal,
    describeError: (error) => problemOf(error, context.requestId),
    onError: (error) =>
      runtime.log.error({ requestId: context.requestId, ...errorFields(error) }, "an answer broke off"),
  });
}

function readIdempotencyKey(header: string | null): string | undefined {
  if (header === null) return undefined;
  if (IDEMPOTENCY_KEY.test(header)) return header;
  throw new ServiceError(
    "INVALID_REQUEST",
    "The Idempotency-Key header must be 1 to 255 visible ASCII characters, such as a UUID.",
  );
}

function chatJson(body: unknown): Response {
  return new Response(JSON.stringify(body), {
    headers: { "Content-Type": "application/json", "Cache-Control": "no-store" },
  });
}
