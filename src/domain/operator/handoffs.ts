import { type Static, Type } from "@sinclair/typebox";

import { ACTION_STATES } from "../action.ts";
import { DELIVERY_EVENTS } from "../delivery.ts";
import { HandoffFields, HandoffState } from "../handoff.ts";
import { listOf, named, oneOf } from "../schemas.ts";

/** A hand-off: a visitor's request for a person. */
export const HandoffRow = named("HandoffRow", {
  id: Type.String(),
  bot: Type.String(),
  conversationId: Type.String(),
  state: HandoffState,
  fields: HandoffFields,
  /** Whether the visitor agreed that webhooks and e-mails include the conversation. */
  sharesTranscript: Type.Boolean(),
  createdAt: Type.Integer(),
  updatedAt: Type.Integer(),
  /** While open: when the last operator left the conversation, after which the bot answers again. */
  givenBackAt: Type.Optional(Type.Integer()),
  /** Name of the operator who answers; only while it is live. */
  operator: Type.Optional(Type.String()),
  /** While live: the end of the bot's silence. */
  liveUntil: Type.Optional(Type.Integer()),
});
export type HandoffRow = Static<typeof HandoffRow>;

/** How many visitors wait for a person. */
export const HandoffCount = named("HandoffCount", {
  waiting: Type.Integer({
    description:
      "Open hand-offs that no operator has joined, or that the visitor asked for again after the operator left",
  }),
  failedNotices: Type.Integer({
    description:
      "Failed notices by webhook or e-mail that will be tried again, or that were given up while the hand-off is still open",
  }),
});
export type HandoffCount = Static<typeof HandoffCount>;

/** Values and calls for the bot's actions in a conversation, for the operator who takes over. */
export const HandoffActions = named("HandoffActions", {
  /** Values given by the visitor. */
  slots: listOf(
    Type.Object({
      name: Type.String(),
      value: Type.Optional(
        Type.String({
          description:
            "Absent if it was part of a proof that the bot no longer keeps, or if texts are not stored",
        }),
      ),
    }),
  ),
  /** The latest calls, oldest first. */
  calls: listOf(
    Type.Object({
      requestId: Type.String(),
      at: Type.Integer(),
      intent: Type.String(),
      state: oneOf(ACTION_STATES),
      says: Type.String({
        description: "Method, endpoint, status and milliseconds, or why nothing was done",
      }),
    }),
  ),
});
export type HandoffActions = Static<typeof HandoffActions>;

/** One hand-off with details. */
export const HandoffDetail = Type.Composite(
  [
    HandoffRow,
    Type.Object({
      /** Whether operators may join the conversation (`handoff.live` of the bot file). */
      mayTake: Type.Boolean(),
      /** Absent if the conversation used no action. */
      actions: Type.Optional(HandoffActions),
    }),
  ],
  { $id: "HandoffDetail" },
);
export type HandoffDetail = Static<typeof HandoffDetail>;

/** An attempt to notify a team, with its result. */
export const DeliveryRow = named("DeliveryRow", {
  id: Type.String(),
  channel: oneOf(["webhook", "mail"]),
  target: Type.String({ description: "The webhook's name, or the address" }),
  event: oneOf(DELIVERY_EVENTS),
  bot: Type.String(),
  conversationId: Type.Optional(Type.String({ description: "Absent if the notice is about the bot" })),
  state: oneOf(["waiting", "delivered", "given-up"]),
  attempts: Type.Integer(),
  createdAt: Type.Integer(),
  /** Time of the next attempt; absent once delivered or given up. */
  nextAt: Type.Optional(Type.Integer()),
  endedAt: Type.Optional(Type.Integer()),
  /** Why the latest attempt failed; absent before its result is known. */
  error: Type.Optional(Type.String()),
});
export type DeliveryRow = Static<typeof DeliveryRow>;
