import type { BotId, ConversationId, DeliveryId } from "./ids.ts";
import type { EpochMs } from "./time.ts";

/** Events found when turns are counted, at most one per turn. */
export const TURN_EVENTS = ["turn.refused", "turn.unmatched", "action.done", "action.failed"] as const;
export type TurnEvent = (typeof TURN_EVENTS)[number];

/** Events of a webhook or address that names none: only those that do not come with many messages. */
export const DEFAULT_EVENTS = ["handoff.requested", "feedback.given", "cap.near"] as const;

/** Events that a team can be notified of. */
export const DELIVERY_EVENTS = [...DEFAULT_EVENTS, ...TURN_EVENTS] as const;
export type DeliveryEvent = (typeof DELIVERY_EVENTS)[number];

/** Detected in the background, when messages are counted, and never in a message's own commit. */
export const COUNTED_EVENTS = ["cap.near", ...TURN_EVENTS] as const satisfies readonly DeliveryEvent[];
export type CountedEvent = (typeof COUNTED_EVENTS)[number];

/** Events of turns that may wait for one webhook: a few megabytes. A flood fills no disk. */
export const MAX_EVENTS_PER_WEBHOOK = 10_000;

/** Minimum share of a monthly cap, in percent, at which it counts as nearly used up. */
export const CAP_NEAR_PERCENT = 80;

/** Where to: a webhook of the server's configuration by its name, or an e-mail address. */
export interface DeliveryTarget {
  channel: "webhook" | "mail";
  target: string;
}

/** A notification to be sent, once its event is stored. */
export interface NewDelivery extends DeliveryTarget {
  /** The same at each try, so that a receiver can tell a repetition. */
  id: DeliveryId;
  event: DeliveryEvent;
}

/** A delivery that is due. It contains no text of a visitor: the notice is composed when it is sent. */
export interface DueDelivery extends NewDelivery {
  botId: BotId;
  /** Absent if the event is about the bot and not about a conversation. */
  conversationId?: ConversationId;
  /** The id of the hand-off, or of the request; of a cap, month and cap as `2026-11/1000`. */
  subject: string;
  createdAt: EpochMs;
  /** This try included. */
  attempts: number;
}

/** A delivery that is tried now. */
export interface ClaimedDelivery extends DueDelivery {
  /** After this, another server may try it, and a result of this attempt is ignored. */
  leaseEndsAt: EpochMs;
}

/** `waiting`: to be tried again; `given-up`: not tried again automatically. */
export type DeliveryState = "waiting" | "delivered" | "given-up";

/** The result of an attempt. */
export interface DeliveryOutcome {
  state: DeliveryState;
  at: EpochMs;
  /** While waiting: the time of the next attempt. */
  nextAt?: EpochMs;
  /** It was held back, and not tried: that does not count as a try. */
  wasHeldBack?: true;
  /** Why it was not delivered; names no secret, and no text of a visitor. */
  error?: string;
}

/** Notices of hand-offs that were not delivered: a visitor may wait for an operator who was not notified. */
export interface FailedNotices extends DeliveryTarget {
  /** `waiting`: tried, and to be tried again; `given-up`: not tried again automatically, and the hand-off is still open. */
  state: Exclude<DeliveryState, "delivered">;
  notices: number;
  /** When the oldest of them was due. */
  since: EpochMs;
  /** Of one of them; absent while they are tried again. */
  error?: string;
}

/** A delivery as operators see it. */
export interface ListedDelivery extends DueDelivery {
  state: DeliveryState;
  nextAt?: EpochMs;
  endedAt?: EpochMs;
  error?: string;
}
