import { Type } from "@sinclair/typebox";

import type { ListedDelivery } from "../../domain/delivery.ts";
import { ServiceError } from "../../domain/errors.ts";
import { DeliveryRow } from "../../domain/operator/handoffs.ts";
import type { Store } from "../../store/interface/store.ts";
import { type ApiRoute, ById, pageOf, route } from "./frame.ts";
import { pageFrom, placeOf } from "./read-call.ts";

export interface DeliveryRoutesParts {
  store: Pick<Store, "outbox">;
  now: () => number;
  /** Tells the notifier that there is something to deliver. */
  nudgeNotifier: () => void;
}

const PAGE = 50;
const Place = Type.Unsafe<ListedDelivery["id"]>(Type.String());

/** Routes of webhook and e-mail deliveries. */
export function deliveryRoutes(parts: DeliveryRoutesParts): ApiRoute[] {
  const { now, nudgeNotifier, store } = parts;
  return [
    route({
      method: "GET",
      path: "/deliveries",
      permission: "read",
      summary: "Webhooks and e-mails, the latest first",
      query: Type.Object({
        state: Type.Optional(DeliveryRow.properties.state),
        event: Type.Optional(DeliveryRow.properties.event),
        bot: Type.Optional(Type.String()),
        conversation: Type.Optional(Type.String()),
        cursor: Type.Optional(Type.String()),
      }),
      response: pageOf(DeliveryRow),
      async answer({ query: { cursor, ...filter } }) {
        const listed = await store.outbox.list({
          ...filter,
          ...(cursor !== undefined && { before: placeOf(Place, cursor) }),
          limit: PAGE + 1,
        });
        return pageFrom(listed, PAGE, { rowOf, place: ({ id }) => id });
      },
    }),
    route({
      method: "POST",
      path: "/deliveries/:id/resend",
      permission: "handoffs.answer",
      summary: "Repeat the delivery at once, with the same id",
      params: ById,
      async answer({ params: { id } }) {
        if (!(await store.outbox.resend(id, now())))
          throw new ServiceError("NOT_FOUND", "There is no delivery of this id; it may have been erased.");
        nudgeNotifier();
      },
    }),
  ];
}

function rowOf({ botId, subject: _, ...delivery }: ListedDelivery): DeliveryRow {
  return { ...delivery, bot: botId };
}
