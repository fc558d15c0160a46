import { ServiceError } from "../domain/errors.ts";
import type { Metrics } from "../metrics.ts";

/** The parts that a limit on concurrent turns uses. */
interface SlotParts {
  /** Maximum number of concurrent turns. */
  limit: number;
  metrics: Pick<Metrics, "turnsInFlight" | "overloads">;
}

/** A turn takes milliseconds, or a few seconds with a model. Chosen by hand. */
const RETRY_AFTER_SECONDS = "2";

/** Limits concurrent turns, so that a flood of messages is rejected at once instead of slowing all down. */
export class TurnSlots {
  readonly #parts: SlotParts;
  #taken = 0;

  constructor(parts: SlotParts) {
    this.#parts = parts;
  }

  /**
   * Runs `turn`; settles as it does.
   *
   * @throws ServiceError OVERLOADED at once if all slots are taken, without running `turn`.
   */
  async run<Result>(turn: () => Promise<Result>): Promise<Result> {
    const { limit, metrics } = this.#parts;
    if (this.#taken >= limit) {
      metrics.overloads.inc();
      throw new ServiceError(
        "OVERLOADED",
        `Too many messages are being answered; try again in ${RETRY_AFTER_SECONDS} s.`,
        { headers: { "Retry-After": RETRY_AFTER_SECONDS } },
      );
    }
    metrics.turnsInFlight.set(++this.#taken);
    try {
      return await turn();
    } finally {
      metrics.turnsInFlight.set(--this.#taken);
    }
  }
}

/**
 * Runs work one after another within a lane, in order of arrival; lanes run side by side. A lane exists only while it
 * has work, so memory is bounded by the work in flight.
 */
export class ConversationLanes {
  readonly #tails = new Map<string, Promise<unknown>>();

  /** Settles like `work`. Later work runs even if earlier work failed. */
  run<Result>(lane: string, work: () => Promise<Result>): Promise<Result> {
    const previous = this.#tails.get(lane);
    const result = previous === undefined ? work() : previous.then(work, work);
    this.#tails.set(lane, result);
    const leave = () => {
      if (this.#tails.get(lane) === result) this.#tails.delete(lane);
    };
    result.then(leave, leave);
    return result;
  }

  /** Resolves when no lane has work. */
  async idle(): Promise<void> {
    while (this.#tails.size > 0) await Promise.allSettled(this.#tails.values());
  }
}
