import { ServiceError } from "../domain/errors.ts";
import type { Metrics } from "../metrics.ts";

/** What a bound on turns in flight uses. */
interface SlotParts {
  /** Turns that may be in flight at once. */
  limit: number;
  metrics: Pick<Metrics, "turnsInFlight" | "overloads">;
}

/** A turn takes milliseconds, or some seconds with a model: after this it is worth another try. */
const RETRY_AFTER_SECONDS = "2";

/** Bounds the turns in flight, so that a flood is refused at once instead of slowing everybody down (decisions §12). */
export class TurnSlots {
  readonly #parts: SlotParts;
  #taken = 0;

  constructor(parts: SlotParts) {
    this.#parts = parts;
  }

  /**
   * Runs `turn`; settles as it does.
   *
   * @throws ServiceError OVERLOADED, at once, where all slots are taken; `turn` is not run then.
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
