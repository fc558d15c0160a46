import type { Change } from "../domain/change.ts";
import type { EpochMs, Now } from "../domain/time.ts";
import { isoOf } from "./changes/noted-changes.ts";

/** The state of the clock, for operators. */
export interface ClockState {
  /** When the clock was last found right; undefined before the first server. */
  heartbeatAt: EpochMs | undefined;
  /** Difference between the clock and the latest plausible time; 0 or less if the clock is plausible. */
  aheadMs: number;
  /** Whether data may be erased for its age. */
  isTrusted: boolean;
}

const HOUR_MS = 60 * 60 * 1000;

/** Tolerated jump of the clock: data is erased at most two days too early. Chosen by hand. */
const MAX_AHEAD_MS = 48 * HOUR_MS;

/** A server that was off for a day must stay within {@link MAX_AHEAD_MS}. */
const HEARTBEAT_EVERY_MS = HOUR_MS;

/** Judges a clock that shows `now`. `elapsedMs`: time since the heartbeat was read, by a steady clock. Pure. */
export function clockState(heartbeatAt: EpochMs | undefined, now: EpochMs, elapsedMs: number): ClockState {
  const aheadMs = heartbeatAt === undefined ? 0 : now - heartbeatAt - elapsedMs;
  return { heartbeatAt, aheadMs, isTrusted: aheadMs <= MAX_AHEAD_MS };
}

/** The change for an operator's confirmation of the clock. */
export function confirmationOf(before: EpochMs | undefined, now: EpochMs): Change {
  const earlier = before !== undefined && { before: isoOf(before) };
  return {
    kind: "clock.confirmed",
    subject: "clock",
    bots: [],
    fields: [{ field: "lastRightAt", ...earlier, after: isoOf(now) }],
  };
}

interface ClockGuardParts {
  /** Reads the heartbeat, which other processes may have confirmed. */
  readHeartbeat: () => Promise<EpochMs | undefined>;
  beat: (at: EpochMs) => Promise<void>;
  now: Now;
  /** A steady clock; only differences count. */
  steadyNow: Now;
}

/**
 * Tells whether the clock of a running server can be trusted. A clock that jumps ahead would erase data too early: it may be at most 48
 * hours ahead of the last heartbeat plus the time since then by a steady clock.
 */
export class ClockGuard {
  readonly #parts: ClockGuardParts;
  #heartbeatAt: EpochMs | undefined;
  #readAt: number;

  constructor(parts: ClockGuardParts) {
    this.#parts = parts;
    this.#readAt = parts.steadyNow();
  }

  /** The clock's state now, by the heartbeat that was read last; before the first read the clock is trusted. */
  get state(): ClockState {
    const { now, steadyNow } = this.#parts;
    return clockState(this.#heartbeatAt, now(), steadyNow() - this.#readAt);
  }

  /** Reads the heartbeat, and moves it on if the clock can be trusted. */
  async look(): Promise<ClockState> {
    this.#take(await this.#parts.readHeartbeat());
    const { state } = this;
    const now = this.#parts.now();
    const isDue = state.heartbeatAt === undefined || now - state.heartbeatAt >= HEARTBEAT_EVERY_MS;
    if (!state.isTrusted || !isDue) return state;
    await this.#parts.beat(now);
    this.#take(Math.max(now, state.heartbeatAt ?? now));
    return this.state;
  }

  #take(heartbeatAt: EpochMs | undefined): void {
    if (heartbeatAt === this.#heartbeatAt) return;
    this.#heartbeatAt = heartbeatAt;
    this.#readAt = this.#parts.steadyNow();
  }
}
