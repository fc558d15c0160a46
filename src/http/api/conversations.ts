import { Type } from "@sinclair/typebox";

import {
  ConversationDetails,
  ConversationPage,
  ConversationQuery,
} from "../../domain/operator/conversations.ts";
import type { Now } from "../../domain/time.ts";
import {
  type BrowsedStore,
  type BrowseQuery,
  eraseConversation,
  exportConversations,
  listConversations,
  readConversation,
} from "../../operate/console/browse-conversations.ts";
import type { Improvement } from "../../operate/console/improvement.ts";
import { ListPlace, NewestPlace } from "../../store/interface/analytics.ts";
import { type ApiRoute, route } from "./frame.ts";
import { cursorOf, placeOf } from "./read-call.ts";

export interface ConversationRouteParts {
  store: BrowsedStore;
  /** Counts new messages, so that they are found at once. */
  catchUp: () => Promise<void>;
  improvement: Pick<Improvement, "forget">;
  now: Now;
}

const Params = Type.Object({ id: Type.String() });

/** Routes of conversations. */
export function conversationRoutes({ store, catchUp, improvement, now }: ConversationRouteParts): ApiRoute[] {
  return [
    route({
      method: "GET",
      path: "/conversations",
      permission: "read",
      summary: "List conversations, the latest first",
      query: ConversationQuery,
      response: ConversationPage,
      async answer({ query }) {
        await catchUp();
        const { items, next, newest, indexed } = await listConversations(store, browseQueryOf(query), now());
        return {
          items,
          next: next ? cursorOf(next) : null,
          newest: newest ? cursorOf(newest) : null,
          ...(indexed !== undefined && { indexed }),
        };
      },
    }),
    // Before the route of a single conversation, because `export` is not an id.
    route({
      method: "GET",
      path: "/conversations/export",
      permission: "conversations.export",
      summary: "Conversations with all messages, one per line",
      query: ConversationQuery,
      produces: "lines",
      response: ConversationDetails,
      async answer(call) {
        await catchUp();
        return call.lines(exportConversations(store, browseQueryOf(call.query)));
      },
    }),
    route({
      method: "GET",
      path: "/conversations/:id",
      permission: "read",
      summary: "Read a conversation",
      params: Params,
      response: ConversationDetails,
      answer: ({ params }) => readConversation(store, params.id),
    }),
    route({
      method: "DELETE",
      path: "/conversations/:id",
      permission: "conversations.delete",
      summary: "Erase a conversation permanently",
      params: Params,
      // Counted before erasing, because the sums stay.
      async answer({ params }) {
        await catchUp();
        await eraseConversation(store, params.id);
        improvement.forget();
      },
    }),
  ];
}

/** @throws ServiceError INVALID_REQUEST for an invalid cursor. */
function browseQueryOf({ cursor, newer, ...query }: ConversationQuery): BrowseQuery {
  return {
    ...query,
    ...(cursor !== undefined && { below: placeOf(ListPlace, cursor) }),
    ...(newer !== undefined && { newer: placeOf(NewestPlace, newer) }),
  };
}
