import type {
  DeliveryEvent,
  DeliveryState,
  DeliveryTarget,
  CountedEvent,
  NewDelivery,
  TurnEvent,
} from "../../domain/delivery.ts";
import type { BotId, DeliveryId } from "../../domain/ids.ts";
import type { EpochMs, Now } from "../../domain/time.ts";

export interface DeliveryFilter {
  state?: DeliveryState;
  event?: DeliveryEvent;
  /** The id of a bot. */
  bot?: string;
  /** The id of a conversation. */
  conversation?: string;
  /** Only deliveries that are older than this one. */
  before?: DeliveryId;
  limit: number;
}

export interface DeliveryClaim {
  event: DeliveryEvent;
  now: EpochMs;
  leaseMs: number;
  limit: number;
  /** Only deliveries to this target. */
  to?: DeliveryTarget;
}

/**
 * How counting reports events. Turns are counted in the background, after their answers (`countTurns`), and events such as a refusal or a
 * nearly used cap are noticed only then.
 */
export interface EventReporting {
  /** A new delivery, with a new id, for each webhook that gets the event. Addresses get none of these events. */
  recipientsOf: (bot: BotId, event: CountedEvent) => readonly NewDelivery[];
  now: Now;
  /** Limit for each webhook: new events of turns are dropped while this many wait, and of the ended ones this many are kept for operators. */
  mostOfTurns: number;
}

/** Events of turns that were dropped because too many wait for the webhook. */
export interface DroppedEvents {
  target: string;
  event: TurnEvent;
  count: number;
}

/** What one step of counting put into the outbox. */
export interface ReportedEvents {
  /** Number of new deliveries. */
  added: number;
  dropped: readonly DroppedEvents[];
}

/** A webhook and an event of turns that it takes. */
export interface EventStart {
  target: string;
  event: TurnEvent;
}
