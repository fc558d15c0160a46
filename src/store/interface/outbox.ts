import type {
  ClaimedDelivery,
  DeliveryEvent,
  DeliveryOutcome,
  DeliveryState,
  DeliveryTarget,
  EventBehind,
  FailedNotices,
  ListedDelivery,
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
export interface Telling {
  /** A new delivery, with a new id, for each webhook that gets the event. Addresses get none of these events. */
  recipientsOf: (bot: BotId, event: EventBehind) => readonly NewDelivery[];
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
export interface ToldBehind {
  /** Number of new deliveries. */
  added: number;
  dropped: readonly DroppedEvents[];
}

/** A webhook and an event of turns that it takes. */
export interface EventStart {
  target: string;
  event: TurnEvent;
}

/** Deliveries to teams, waiting and ended. A delivery is added in the transaction that stores or finds its event. */
export interface Outbox {
  /**
   * Claims due deliveries of an event, the oldest first, for `leaseMs`: if the server dies, others claim them again afterwards. Claiming
   * clears the error of the last try: a waiting delivery that was tried and has no error is being tried now.
   */
  claim(claim: DeliveryClaim): Promise<ClaimedDelivery[]>;
  /** Instants after `since` at which e-mails were delivered to an address; one with several notices counts once. */
  listLetters(address: string, since: EpochMs): Promise<EpochMs[]>;
  /**
   * Stores the outcome of a claimed delivery. Does nothing if another server has claimed it since, or an operator has sent it again: the
   * later try decides.
   */
  settle(delivery: Pick<ClaimedDelivery, "id" | "leaseEndsAt">, outcome: DeliveryOutcome): Promise<void>;
  /** The latest first. */
  list(filter: DeliveryFilter): Promise<ListedDelivery[]>;
  /** Makes a delivery due at once, in any state. @returns false if there is no such delivery. */
  resend(id: string, now: EpochMs): Promise<boolean>;
  /** Deletes at most `limit` deliveries that ended before an instant. @returns how many. */
  deleteEnded(before: EpochMs, limit: number): Promise<number>;
  /** From this instant on, these webhooks get these events; earlier turns are not reported. A pair that has a start keeps it. */
  startTelling(starts: readonly EventStart[], at: EpochMs): Promise<void>;
  /**
   * Notices of hand-offs that failed, summed up by target and state, the oldest first. A failed notice counts while it will be tried again,
   * and, once given up, until its hand-off is closed.
   */
  listFailedNotices(): Promise<FailedNotices[]>;
  /** Number of waiting events of turns, by webhook; webhooks without any are left out. */
  countWaitingTurns(): Promise<Map<string, number>>;
}
