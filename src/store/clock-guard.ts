import type { Change } from "../domain/change.ts";
import type { EpochMs, Now } from "../domain/time.ts";
import { isoOf } from "./changes/noted-changes.ts";

/** What an operator is told of the clock. */
export interface ClockState {
  /** When the clock was last taken to be right; undefined before the first server. */
  heartbeatAt: EpochMs | undefined;
  /** How far the clock is beyond what it should show at most; 0 or less where it is not. */
  aheadMs: number;
  /** Whether anything may be erased for its age. */
  isTrusted: boolean;
}

const HOUR_MS = 60 * 60 * 1000;

/** A clock that jumps by less erases at most two days too early. */
const MOST_AHEAD_MS = 48 * HOUR_MS;

/** Often enough that a server that was off for a day is within {@link MOST_AHEAD_MS}. */
const HEARTBEAT_EVERY_MS = HOUR_MS;

/** What a clock that shows `now` is worth. `elapsedMs`: time since the heartbeat was read, by a clock that nobody sets. Pure. */
export function clockState(heartbeatAt: EpochMs | undefined, now: EpochMs, elapsedMs: number): ClockState {
  const aheadMs = heartbeatAt === undefined ? 0 : now - heartbeatAt - elapsedMs;
  return { heartbeatAt, aheadMs, isTrusted: aheadMs <= MOST_AHEAD_MS };
}

/** What is told of a clock that an operator has found right. */
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
  /** What other processes may have confirmed. */
  readHeartbeat: () => Promise<EpochMs | undefined>;
  beat: (at: EpochMs) => Promise<void>;
  now: Now;
  /** Of which only differences count; never set. */
  steadyNow: Now;
}

/**
 * Tells whether the clock of a running server can be believed: it may be at most 48 hours beyond the last heartbeat and the time that
 * has passed since by a clock that nobody sets.
 */
export class ClockGuard {
  readonly #parts: ClockGuardParts;
  #heartbeatAt: EpochMs | undefined;
  #readAt: number;

  constructor(parts: ClockGuardParts) {
    this.#parts = parts;
    this.#readAt = parts.steadyNow();
  }

  /** The clock at this moment, by the heartbeat that was last looked at; before the first look it is believed. */
  get state(): ClockState {
    const { now, steadyNow } = this.#parts;
    return clockState(this.#heartbeatAt, now(), steadyNow() - this.#readAt);
  }

  /** Looks at the heartbeat, and moves it on where the clock can be believed. */
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
