import type { EpochMs, Now } from "../domain/time.ts";

/** Failures in a row that open the circuit. */
export const FAILURES_TO_OPEN = 5;
/** How long an open circuit blocks all calls. */
export const OPEN_MS = 10_000;
/** The longest rest that a server may ask for. */
export const MAX_REST_MS = 5 * 60_000;

/**
 * Keeps calls away from a server that keeps failing: open after {@link FAILURES_TO_OPEN} failures in a row, then one
 * trial call after {@link OPEN_MS}, which closes the circuit or leaves it open for as long again. A server that asks for
 * a rest gets it.
 */
export class CircuitBreaker {
  readonly #now: Now;
  #failures = 0;
  #openedAt: EpochMs | undefined;
  #restsUntil: EpochMs = 0;
  #isTrying = false;

  constructor(now: Now) {
    this.#now = now;
  }

  /** Whether a call may be made. A caller that is let in says how the call went. */
  admit(): boolean {
    if (this.#now() < this.#restsUntil) return false;
    if (this.#openedAt === undefined) return true;
    if (this.#isTrying || this.#now() - this.#openedAt < OPEN_MS) return false;
    this.#isTrying = true;
    return true;
  }

  /** State for the next call; `half-open`: one trial call. */
  get state(): "closed" | "open" | "half-open" {
    if (this.#now() < this.#restsUntil) return "open";
    if (this.#openedAt === undefined) return "closed";
    return !this.#isTrying && this.#now() - this.#openedAt < OPEN_MS ? "open" : "half-open";
  }

  succeeded(): void {
    this.#failures = 0;
    this.#openedAt = undefined;
    this.#isTrying = false;
  }

  failed(): void {
    this.#failures += 1;
    if (this.#isTrying || this.#failures >= FAILURES_TO_OPEN) this.#openedAt = this.#now();
    this.#isTrying = false;
  }

  /** The server answered that it takes no calls for that time. */
  rest(milliseconds: number): void {
    this.#restsUntil = this.#now() + Math.min(milliseconds, MAX_REST_MS);
  }

  /** The caller left before the call ended: it counts neither as a success nor as a failure. */
  abandoned(): void {
    this.#isTrying = false;
  }
}
