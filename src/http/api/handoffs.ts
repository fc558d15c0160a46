import { type Static, Type } from "@sinclair/typebox";

import { ServiceError } from "../../domain/errors.ts";
import { HandoffEvent, HandoffState, LIVE_MS, nameForVisitors } from "../../domain/handoff.ts";
import { HandoffCount, HandoffDetail, HandoffRow } from "../../domain/operator/handoffs.ts";
import { oneOf } from "../../domain/schemas.ts";
import { sha256 } from "../../domain/sha256.ts";
import { handoffRowOf as rowOf } from "../../operate/console/browse-conversations.ts";
import { actionsOfConversation } from "../../operate/receipt/describe-action.ts";
import type { PersonThere, StoredHandoff } from "../../store/interface/handoffs.ts";
import type { Store } from "../../store/interface/store.ts";
import { readIdempotencyKey } from "../request-headers.ts";
import { allOf, type ApiRoute, ById, type Caller, pageOf, route } from "./frame.ts";
import { pageFrom, placeOf } from "./read-call.ts";

export interface HandoffRoutesParts {
  store: Pick<Store, "handoffs" | "bots" | "outbox" | "conversations">;
  now: () => number;
  handoffEvents: { nudge(): void };
}

const PAGE = 50;
const Place = Type.Unsafe<StoredHandoff["id"]>(Type.String());
const Query = Type.Object({
  bot: Type.Optional(Type.String()),
  state: Type.Optional(HandoffState),
  waiting: Type.Optional(
    oneOf(["0", "1"], {
      description:
        "1: visitors who wait for a person, the longest wait first; 0: open hand-offs that were given back to the bot",
    }),
  ),
  cursor: Type.Optional(Type.String()),
});

/** Routes of hand-offs. */
export function handoffRoutes(parts: HandoffRoutesParts): ApiRoute[] {
  const { handoffEvents, now, store } = parts;
  return [
    route({
      method: "GET",
      path: "/handoffs",
      permission: "read",
      summary: "Hand-offs, latest first; waiting ones oldest first",
      query: Query,
      response: pageOf(HandoffRow),
      async answer({ query }) {
        return pageFrom(await findHandoffs(parts, query), PAGE, { rowOf, place: ({ id }) => id });
      },
    }),
    route({
      method: "GET",
      path: "/handoffs/count",
      permission: "read",
      summary: "How many visitors wait for a person, and how many notices of that failed",
      response: HandoffCount,
      answer: async () => {
        const failed = await store.outbox.listFailedNotices();
        return {
          waiting: await store.handoffs.countWaiting(),
          failedNotices: failed.reduce((sum, { notices }) => sum + notices, 0),
        };
      },
    }),
    route({
      method: "GET",
      path: "/handoffs/:id",
      permission: "read",
      summary: "A hand-off, with the values and calls of actions in its conversation",
      params: ById,
      response: HandoffDetail,
      async answer({ params: { id } }) {
        const handoff = await getStored(store, id);
        const turns = await store.conversations.listActionTurns(handoff.conversationId);
        const actions = actionsOfConversation(turns, now());
        return { ...rowOf(handoff), mayTake: await mayTake(store, handoff), ...(actions && { actions }) };
      },
    }),
    route({
      method: "POST",
      path: "/handoffs/:id/take",
      permission: "handoffs.answer",
      summary:
        "Take the conversation over: the bot is silent until it is given back, or 15 minutes after your last word; 409 while another operator has it",
      params: ById,
      query: Type.Object({
        from: Type.Optional(
          Type.String({ description: "Name of the operator who has it, to take it over from them" }),
        ),
      }),
      response: HandoffRow,
      async answer({ params: { id }, query: { from }, caller }) {
        if (!(await mayTake(store, await getStored(store, id)))) throw notLive();
        const taken = await store.handoffs.take(personOf(id, caller, now()), from);
        if (taken.outcome === "ended") throw ended();
        if (taken.outcome === "held") throw held(taken.by);
        handoffEvents.nudge();
        return rowOf(taken.handoff);
      },
    }),
    route({
      method: "POST",
      path: "/handoffs/:id/messages",
      permission: "handoffs.answer",
      summary:
        "Write to the visitor, in plain text; what is sent again with the same Idempotency-Key is said once",
      params: ById,
      body: Type.Object({ text: Type.String({ minLength: 1, maxLength: 4000 }) }),
      response: HandoffEvent,
      async answer({ params: { id }, body: { text }, caller, request }) {
        const key = readIdempotencyKey(request.headers.get("idempotency-key"));
        // A different text with the same key is a conflict, not a repetition.
        const keyHash = key === undefined ? undefined : sha256(JSON.stringify([key, text]));
        const said = await store.handoffs.say(personOf(id, caller, now()), text, keyHash);
        if (!said) throw (await getStored(store, id)) && ended();
        handoffEvents.nudge();
        return said;
      },
    }),
    route({
      method: "POST",
      path: "/handoffs/:id/release",
      permission: "handoffs.answer",
      summary: "Give the conversation back to the bot; the hand-off stays open",
      params: ById,
      response: HandoffRow,
      async answer({ params: { id } }) {
        await store.handoffs.release(id, now());
        handoffEvents.nudge();
        return rowOf(await getStored(store, id));
      },
    }),
    route({
      method: "POST",
      path: "/handoffs/:id/close",
      permission: "handoffs.answer",
      summary: "Close the hand-off; its visitor may ask again",
      params: ById,
      response: HandoffRow,
      async answer({ params: { id } }) {
        await store.handoffs.close(id, now());
        handoffEvents.nudge();
        return rowOf(await getStored(store, id));
      },
    }),
    route({
      method: "GET",
      path: "/handoffs/:id/events",
      permission: "read",
      summary: "Messages during the hand-off, oldest first",
      params: ById,
      query: Type.Object({
        after: Type.Optional(Type.Integer({ minimum: 0, description: "Only events with a higher number" })),
      }),
      response: allOf(HandoffEvent),
      async answer({ params: { id }, query: { after = 0 } }) {
        const { conversationId } = await getStored(store, id);
        const events = await store.handoffs.listEvents([{ conversationId, after }], MAX_EVENTS);
        return { items: events.get(conversationId) ?? [] };
      },
    }),
  ];
}

async function findHandoffs(
  { store }: HandoffRoutesParts,
  { bot: id, state, waiting, cursor }: Static<typeof Query>,
): Promise<StoredHandoff[]> {
  const bot = id === undefined ? undefined : await store.bots.find(id);
  if (id !== undefined && !bot) return [];
  return store.handoffs.list({
    ...(bot && { bot: bot.key }),
    ...(state !== undefined && { state }),
    ...(waiting !== undefined && { waiting: waiting === "1" }),
    ...(cursor !== undefined && { after: placeOf(Place, cursor) }),
    limit: PAGE + 1,
  });
}

async function mayTake({ bots }: HandoffRoutesParts["store"], { botId }: StoredHandoff): Promise<boolean> {
  return (await bots.find(botId))?.document.handoff?.live ?? true;
}

/** Events per reply; clients ask for more from the last one. */
const MAX_EVENTS = 500;

/** Visitors do not see a key's label: they see its user as an operator. */
function personOf(id: string, caller: Caller, at: number): PersonThere {
  const [operator, name] = caller.kind === "operator" ? [caller.name, caller.name] : [caller.label, ""];
  return { id, operator, name: nameForVisitors(name), at, until: at + LIVE_MS };
}

function ended(): ServiceError {
  return new ServiceError("CONFLICT", "The hand-off is closed, or was given back; take it over again.");
}

function held(by: string): ServiceError {
  return new ServiceError(
    "CONFLICT",
    `${by} has taken this conversation over; to take it from them all the same, name them in \`from\`.`,
    { status: 409 },
  );
}

function notLive(): ServiceError {
  return new ServiceError(
    "CONFLICT",
    "The bot file says `handoff.live: false`: answer by what the visitor left, or change the bot file and take it over then.",
  );
}

async function getStored({ handoffs }: HandoffRoutesParts["store"], id: string): Promise<StoredHandoff> {
  const handoff = await handoffs.find(id);
  if (handoff) return handoff;
  throw new ServiceError("NOT_FOUND", "There is no hand-off of this id; it may have been erased.");
}
