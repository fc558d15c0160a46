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
 * Deliveries for events that are found when turns are counted for the console: refused and unmatched messages, actions, a nearly used cap.
 */
export interface Telling {
  /** One new delivery for each webhook that takes the event; every call makes new ids. */
  recipientsOf: (bot: BotId, event: EventBehind) => readonly NewDelivery[];
  now: Now;
  /**
   * Maximum number of events of turns that wait for one webhook; later events are dropped. As many ended ones are kept for operators.
   */
  mostOfTurns: number;
}

/** Events of turns that were dropped because too many wait for the webhook. */
export interface DroppedEvents {
  target: string;
  event: TurnEvent;
  count: number;
}

/** The result for the outbox when a batch of turns was counted: deliveries added, events dropped. */
export interface ToldBehind {
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
  /** Webhooks get these events for turns from this instant on, and never for earlier ones. A start that is stored stays. */
  startTelling(starts: readonly EventStart[], at: EpochMs): Promise<void>;
  /** Failed notices of hand-offs by target, the oldest first: those to be tried again, and those given up whose hand-off is not closed. */
  listFailedNotices(): Promise<FailedNotices[]>;
  /** Number of waiting events of turns, by webhook; webhooks without any are left out. */
  countWaitingTurns(): Promise<Map<string, number>>;
}
