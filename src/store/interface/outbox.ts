import type {
  DeliveryEvent,
  DeliveryOutcome,
  DeliveryState,
  DueDelivery,
  ListedDelivery,
} from "../../domain/delivery.ts";
import type { DeliveryId } from "../../domain/ids.ts";
import type { EpochMs } from "../../domain/time.ts";

export interface DeliveryFilter {
  state?: DeliveryState;
  /** Only those that are older than this one. */
  before?: DeliveryId;
  limit: number;
}

export interface DeliveryClaim {
  event: DeliveryEvent;
  now: EpochMs;
  leaseMs: number;
  limit: number;
}

/** What teams are still to be told of, and what they were told. Deliveries are added with what they tell of, in its transaction. */
export interface Outbox {
  /**
   * Takes deliveries of an event whose time has come, the oldest first. For as long as `leaseMs` nobody else gets them: a server that dies with one
   * leaves it to the others.
   */
  claim(claim: DeliveryClaim): Promise<DueDelivery[]>;
  settle(id: DeliveryId, outcome: DeliveryOutcome): Promise<void>;
  /** The latest first. */
  list(filter: DeliveryFilter): Promise<ListedDelivery[]>;
  /** Has it tried again at once, whatever became of it. @returns false when there is no such delivery. */
  resend(id: string, now: EpochMs): Promise<boolean>;
  /** Deletes up to `limit` that ended before an instant. @returns how many. */
  deleteEnded(before: EpochMs, limit: number): Promise<number>;
}
