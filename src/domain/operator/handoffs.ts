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
  /** Whether the visitor agreed that the conversation goes along in webhooks and e-mails. */
  sharesTranscript: Type.Boolean(),
  createdAt: Type.Integer(),
  updatedAt: Type.Integer(),
  /** While open: when the last operator left the conversation, so that the bot answers again. */
  givenBackAt: Type.Optional(Type.Integer()),
  /** Name of the operator who answers; only while it is live. */
  operator: Type.Optional(Type.String()),
  /** Until when the bot is silent, while it is live. */
  liveUntil: Type.Optional(Type.Integer()),
});
export type HandoffRow = Static<typeof HandoffRow>;

/** How many visitors wait for a person. */
export const HandoffCount = named("HandoffCount", {
  waiting: Type.Integer({
    description: "Open, and taken over by nobody yet, or asked for again since it was given back",
  }),
  failedNotices: Type.Integer({
    description: "Notices of hand-offs by webhook or e-mail that failed, and that still matter",
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
          description: "Absent where it is a proof's and forgotten by now, or where texts are not stored",
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
      /** Whether the bot lets a person come into the conversation (`handoff.live` of its bot file). */
      mayTake: Type.Boolean(),
      /** Absent where no action had a part in the conversation. */
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
  conversationId: Type.Optional(Type.String({ description: "Absent where it tells of the bot" })),
  state: oneOf(["waiting", "delivered", "given-up"]),
  attempts: Type.Integer(),
  createdAt: Type.Integer(),
  /** When it is tried again; absent where it has ended. */
  nextAt: Type.Optional(Type.Integer()),
  endedAt: Type.Optional(Type.Integer()),
  /** Why it was not delivered the last time; absent while it is being tried. */
  error: Type.Optional(Type.String()),
});
export type DeliveryRow = Static<typeof DeliveryRow>;
