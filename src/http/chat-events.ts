import { callerAddressKey } from "../access/client-address.ts";
import type { AdmitBeside } from "../chat/admission/admit.ts";
import type { EventHub, Following } from "../chat/handoff/event-hub.ts";
import { ServiceError } from "../domain/errors.ts";
import type { HandoffEvent } from "../domain/handoff.ts";
import { BotId } from "../domain/ids.ts";
import type { BotKey } from "../store/interface/bots.ts";
import type { Handoffs, Store } from "../store/interface/store.ts";
import { type Endpoint, withReadableUrl } from "./endpoint.ts";
import { EventWriter } from "./event-writer.ts";
import { EVENT_STREAM_HEADERS } from "./every-answer.ts";
import { noteBotId, type RequestContext } from "./request-context.ts";
import { type VisitorParts, visitorRequest } from "./visitor-request.ts";

/** The parts that GET /chat/events uses. */
export interface ChatEventsParts extends VisitorParts {
  admitBeside: AdmitBeside;
  handoffEvents: Pick<EventHub, "follow">;
  store: Pick<Store, "findConversation"> & { handoffs: Pick<Handoffs, "findOpen" | "listEvents"> };
}

interface Followed {
  botId: string;
  conversationId: string;
  after: number;
}

/** When a client reconnects after its stream has ended, because no hand-off is open. */
const RETRY_MS = 30_000;
/** Events of a stream that ends at once; the client gets more when it reconnects. */
const AT_ONCE = 100;

/** GET /chat/events: messages of a conversation while an operator has joined. */
export function chatEventsEndpoint(parts: ChatEventsParts): Endpoint {
  return {
    method: "GET",
    path: "/chat/events",
    async answer(context) {
      const request = visitorRequest(parts, context, async () => readQuery(context));
      const { embedToken, bot, body } = await parts.admitBeside("events", request);
      const { conversationId } = body;
      const open = await parts.store.handoffs.findOpen(conversationId);
      if (open?.botId !== bot.id) return endedStream(await missedEvents(parts, bot.key, body));
      parts.connections.keepOpen(context.received);
      const caller = `${embedToken.id} ${callerAddressKey(request.clientAddress)}`;
      return followStream(parts, { ...body, caller }, context.request.signal);
    },
  };
}

/** Remaining events if no hand-off is open. None for an unknown conversation, which may have expired. */
async function missedEvents(
  { store }: ChatEventsParts,
  bot: BotKey,
  { conversationId, after }: Followed,
): Promise<readonly HandoffEvent[]> {
  if ((await store.findConversation(conversationId, bot, 0)) === undefined) return [];
  const events = await store.handoffs.listEvents([{ conversationId, after }], AT_ONCE);
  return events.get(conversationId) ?? [];
}

function endedStream(missed: readonly HandoffEvent[]): Response {
  const events = new EventWriter(() => {});
  events.begin();
  writeAll(events, missed);
  events.end(RETRY_MS);
  return new Response(events.body, { headers: EVENT_STREAM_HEADERS });
}

function followStream(
  { handoffEvents }: ChatEventsParts,
  { conversationId, after, caller }: Following,
  left: AbortSignal,
): Response {
  let leave: (() => void) | undefined;
  const events = new EventWriter(() => leave?.());
  leave = handoffEvents.follow(
    { conversationId, after, caller },
    { told: (told) => writeAll(events, told), ended: () => events.end() },
  );
  if (!leave) throw tooManyStreams();
  left.addEventListener("abort", leave, { once: true });
  events.begin();
  return new Response(events.body, { headers: EVENT_STREAM_HEADERS });
}

function writeAll(events: EventWriter, told: readonly HandoffEvent[]): void {
  for (const event of told) events.write("handoff", event, event.number);
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
    "Too many streams are open for this conversation, this caller or the server; close one, or try again later.",
    { headers: { "Retry-After": "10" } },
  );
}
