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
  /** Only those that are older than this one. */
  before?: DeliveryId;
  limit: number;
}

export interface DeliveryClaim {
  event: DeliveryEvent;
  now: EpochMs;
  leaseMs: number;
  limit: number;
  /** Only what goes there. */
  to?: DeliveryTarget;
}

/** Who is told of what is found when turns are counted. */
export interface Telling {
  /** With new ids at each call. Webhooks only. */
  recipientsOf: (bot: BotId, event: EventBehind) => readonly NewDelivery[];
  now: Now;
  /** Events of turns that may wait for one webhook, and as many that have ended are kept for operators. What is beyond is dropped. */
  mostOfTurns: number;
}

/** Turns of which a webhook is not told, as too many wait for it. */
export interface DroppedEvents {
  target: string;
  event: TurnEvent;
  count: number;
}

/** What a step of counting has put into the outbox. */
export interface ToldBehind {
  added: number;
  dropped: readonly DroppedEvents[];
}

/** A webhook, and an event of turns that it takes. */
export interface EventStart {
  target: string;
  event: TurnEvent;
}

/** What teams are still to be told of, and what they were told. Deliveries are added with what they tell of, in its transaction. */
export interface Outbox {
  /**
   * Takes deliveries of an event whose time has come, the oldest first. For as long as `leaseMs` nobody else gets them: a server that dies with one
   * leaves it to the others. Its error is of the last try, and goes: what waits, was tried and has none is being tried.
   */
  claim(claim: DeliveryClaim): Promise<ClaimedDelivery[]>;
  /** When an address has got letters since an instant; one that told of much counts once. */
  listLetters(address: string, since: EpochMs): Promise<EpochMs[]>;
  /** Nothing happens where somebody else has claimed it since, or an operator has it sent again: what comes of that is to be seen. */
  settle(delivery: Pick<ClaimedDelivery, "id" | "leaseEndsAt">, outcome: DeliveryOutcome): Promise<void>;
  /** The latest first. */
  list(filter: DeliveryFilter): Promise<ListedDelivery[]>;
  /** Has it tried again at once, whatever became of it. @returns false when there is no such delivery. */
  resend(id: string, now: EpochMs): Promise<boolean>;
  /** Deletes up to `limit` that ended before an instant. @returns how many. */
  deleteEnded(before: EpochMs, limit: number): Promise<number>;
  /** Turns from now on are told of; where that was said before, from then on. */
  startTelling(starts: readonly EventStart[], at: EpochMs): Promise<void>;
  /** Notices of hand-offs that failed and still matter, by where they were to go, the oldest first. */
  listFailedNotices(): Promise<FailedNotices[]>;
  /** How many events of turns wait, by webhook; those without any are left out. */
  countWaitingTurns(): Promise<Map<string, number>>;
}
