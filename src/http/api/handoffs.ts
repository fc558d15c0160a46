import { type Static, Type } from "@sinclair/typebox";

import { ServiceError } from "../../domain/errors.ts";
import { HandoffState } from "../../domain/handoff.ts";
import { HandoffRow } from "../../domain/operator/handoffs.ts";
import type { StoredHandoff } from "../../store/interface/handoffs.ts";
import type { Store } from "../../store/interface/store.ts";
import { cursorOf, placeOf } from "./cursor.ts";
import { type ApiRoute, pageOf, route } from "./frame.ts";

export interface HandoffRoutesParts {
  store: Pick<Store, "handoffs" | "bots">;
  now: () => number;
}

const PAGE = 50;
const Place = Type.Unsafe<StoredHandoff["id"]>(Type.String());
const ById = Type.Object({ id: Type.String({ maxLength: 100 }) });
const Query = Type.Object({
  bot: Type.Optional(Type.String()),
  state: Type.Optional(HandoffState),
  cursor: Type.Optional(Type.String()),
});

/** Visitors who ask for a person. */
export function handoffRoutes(parts: HandoffRoutesParts): ApiRoute[] {
  return [listHandoffs(parts), getHandoff(parts), closeHandoff(parts)];
}

function listHandoffs(parts: HandoffRoutesParts): ApiRoute {
  return route({
    method: "GET",
    path: "/handoffs",
    permission: "read",
    summary: "Visitors who ask for a person, the latest first",
    query: Query,
    response: pageOf(HandoffRow),
    async answer({ query }) {
      const found = await findHandoffs(parts, query);
      const page = found.slice(0, PAGE);
      return { items: page.map(rowOf), next: found.length > PAGE ? cursorOf(page.at(-1)!.id) : null };
    },
  });
}

async function findHandoffs(
  { store }: HandoffRoutesParts,
  { bot: id, state, cursor }: Static<typeof Query>,
): Promise<StoredHandoff[]> {
  const bot = id === undefined ? undefined : await store.bots.find(id);
  if (id !== undefined && !bot) return [];
  return store.handoffs.list({
    ...(bot && { bot: bot.key }),
    ...(state !== undefined && { state }),
    ...(cursor !== undefined && { before: placeOf(Place, cursor) }),
    limit: PAGE + 1,
  });
}

function getHandoff({ store }: HandoffRoutesParts): ApiRoute {
  return route({
    method: "GET",
    path: "/handoffs/:id",
    permission: "read",
    summary: "A visitor who asks for a person",
    params: ById,
    response: HandoffRow,
    answer: async ({ params: { id } }) => rowOf(await found(store, id)),
  });
}

function closeHandoff({ store, now }: HandoffRoutesParts): ApiRoute {
  return route({
    method: "POST",
    path: "/handoffs/:id/close",
    permission: "handoffs.answer",
    summary: "It is dealt with; its visitor may ask again",
    params: ById,
    response: HandoffRow,
    async answer({ params: { id } }) {
      await store.handoffs.close(id, now());
      return rowOf(await found(store, id));
    },
  });
}

async function found({ handoffs }: HandoffRoutesParts["store"], id: string): Promise<StoredHandoff> {
  const handoff = await handoffs.find(id);
  if (handoff) return handoff;
  throw new ServiceError("NOT_FOUND", "There is no hand-off of this id; it may have been erased.");
}

function rowOf({ botId, ...handoff }: StoredHandoff): HandoffRow {
  return { ...handoff, bot: botId };
}
