import type { AdmitBeside } from "../chat/admission/admit-beside.ts";
import type { EventHub } from "../chat/handoff/event-hub.ts";
import { ServiceError } from "../domain/errors.ts";
import { BotId } from "../domain/ids.ts";
import type { Store } from "../store/interface/store.ts";
import type { Endpoint } from "./endpoint.ts";
import { EventWriter } from "./event-writer.ts";
import { answerHeaders } from "./every-answer.ts";
import { withReadableUrl } from "./readable-url.ts";
import { noteBotId, type RequestContext } from "./request-context.ts";
import { type VisitorParts, visitorRequest } from "./visitor-request.ts";

/** The parts that GET /chat/events uses. */
export interface ChatEventsParts extends VisitorParts {
  admitBeside: AdmitBeside;
  handoffEvents: Pick<EventHub, "follow">;
  store: Pick<Store, "findConversation">;
}

interface Followed {
  botId: string;
  conversationId: string;
  after: number;
}

const HEADERS = answerHeaders({
  "Content-Type": "text/event-stream; charset=utf-8",
  "Cache-Control": "no-cache, no-transform",
  "X-Accel-Buffering": "no",
});

/** GET /chat/events: what is said in a conversation while a person is there (decisions §12). */
export function chatEventsEndpoint(parts: ChatEventsParts): Endpoint {
  return {
    method: "GET",
    path: "/chat/events",
    async answer(context) {
      const request = visitorRequest(parts, context, async () => readQuery(context));
      const { bot, body } = await parts.admitBeside("events", request);
      parts.connections.keepOpen(context.received);
      const conversation = await parts.store.findConversation(body.conversationId, bot.key, 0);
      return follow(parts, body, conversation !== undefined, context.request.signal);
    },
  };
}

/** An unknown conversation gets a stream in which nothing happens: its id may have expired. */
function follow(
  { handoffEvents }: ChatEventsParts,
  { conversationId, after }: Followed,
  isKnown: boolean,
  left: AbortSignal,
): Response {
  let leave: (() => void) | undefined;
  const events = new EventWriter(() => leave?.());
  if (isKnown) {
    leave = handoffEvents.follow(conversationId, after, {
      told: (told) => {
        for (const { number, ...event } of told) events.write("handoff", { number, ...event }, number);
      },
    });
    if (!leave) throw tooManyStreams();
    left.addEventListener("abort", leave, { once: true });
  }
  events.begin();
  return new Response(events.body, { headers: HEADERS });
}

function readQuery(context: RequestContext): Followed {
  const { searchParams } = new URL(withReadableUrl(context.request).url);
  const botId = searchParams.get("botId") ?? "";
  const conversationId = searchParams.get("conversationId") ?? "";
  if (botId === "" || conversationId === "" || botId.length > BotId.maxLength!) throw missing();
  noteBotId(context, botId);
  const last = Number(context.request.headers.get("last-event-id") ?? 0);
  return { botId, conversationId, after: Number.isSafeInteger(last) && last > 0 ? last : 0 };
}

function missing(): ServiceError {
  return new ServiceError(
    "INVALID_REQUEST",
    "Name bot and conversation in the query, as in `/chat/events?botId=acme-support&conversationId=cv_…`.",
  );
}

function tooManyStreams(): ServiceError {
  return new ServiceError(
    "RATE_LIMITED",
    "This conversation is followed by as many streams as it may have; close one.",
    { headers: { "Retry-After": "10" } },
  );
}
