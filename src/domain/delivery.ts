import type { BotId, ConversationId, DeliveryId } from "./ids.ts";
import type { EpochMs } from "./time.ts";

/** What a team is told of. */
export const DELIVERY_EVENTS = ["handoff.requested", "feedback.given"] as const;
export type DeliveryEvent = (typeof DELIVERY_EVENTS)[number];

/** Where to: a webhook of the server's configuration by its name, or an e-mail address. */
export interface DeliveryTarget {
  channel: "webhook" | "mail";
  target: string;
}

/** Something that a team is to be told of, once it is stored what it is. */
export interface NewDelivery extends DeliveryTarget {
  /** The same at each try, so that a receiver can tell a repetition. */
  id: DeliveryId;
  event: DeliveryEvent;
}

/** A delivery whose time has come. It holds no text of a visitor: what is told is read when it is told. */
export interface DueDelivery extends NewDelivery {
  botId: BotId;
  conversationId: ConversationId;
  /** The id of the hand-off, or of the request whose answer was rated. */
  subject: string;
  createdAt: EpochMs;
  /** This try included. */
  attempts: number;
}

/** `waiting`: to be tried again; `given-up`: not by itself. */
export type DeliveryState = "waiting" | "delivered" | "given-up";

/** What came of a try. */
export interface DeliveryOutcome {
  state: DeliveryState;
  at: EpochMs;
  /** Where it waits: when it is tried again. */
  nextAt?: EpochMs;
  /** It was held back, and not tried: that does not count as a try. */
  wasHeldBack?: true;
  /** Why it was not delivered; names no secret, and no text of a visitor. */
  error?: string;
}

/** A delivery as operators see it. */
export interface ListedDelivery extends DueDelivery {
  state: DeliveryState;
  nextAt?: EpochMs;
  endedAt?: EpochMs;
  error?: string;
}
