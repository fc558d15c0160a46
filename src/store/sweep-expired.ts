import type { Logger } from "pino";

import type { EpochMs, Now } from "../domain/time.ts";
import { ClockGuard, type ClockState } from "./clock-guard.ts";
import type { Store } from "./interface/store.ts";

const EXPIRY_SWEEP_MS = 60_000;
const EXPIRY_STEP_PAUSE_MS = 50;
const HOUR_MS = 60 * 60 * 1000;

/** What the sweep needs of a running server. */
interface SweepParts {
  store: Pick<Store, "deleteExpired" | "health" | "beatClock" | "readHeartbeat">;
  log: Pick<Logger, "info" | "warn" | "error">;
  now: Now;
  /** Of which only differences count; never set. */
  steadyNow: Now;
  /** Conversations whose last turn is older than this have expired. */
  conversationsNotBefore: () => EpochMs;
  /** Told whenever sweeping stops for the clock, and when it goes on. */
  onStopped?: (isStopped: boolean) => void;
  everyMs?: number;
}

/**
 * Deletes what has expired, in small steps. Where the clock has jumped ahead it deletes nothing and warns, until an operator has
 * confirmed the clock or the clock is back.
 *
 * @returns how to stop it.
 */
export function sweepExpired(parts: SweepParts): () => void {
  const sweep = new Sweep(parts);
  const timer = setInterval(() => void sweep.run(), parts.everyMs ?? EXPIRY_SWEEP_MS);
  void sweep.lookAtClock();
  return () => {
    sweep.isEnded = true;
    clearInterval(timer);
  };
}

class Sweep {
  readonly #parts: SweepParts;
  readonly #clock: ClockGuard;
  #isStopped = false;
  #isRunning = false;
  isEnded = false;

  constructor(parts: SweepParts) {
    const { store, now, steadyNow } = parts;
    this.#parts = parts;
    this.#clock = new ClockGuard({
      readHeartbeat: () => store.readHeartbeat(),
      beat: (at) => store.beatClock(at),
      now,
      steadyNow,
    });
  }

  /** Deletes what has expired, where the clock can be believed. */
  run(): Promise<void> {
    return this.#attempt(async () => {
      this.#tell(await this.#clock.look());
      await this.#deleteAll();
    });
  }

  /** A server that is never up for long moves the heartbeat on, too, and an operator is told at once. */
  lookAtClock(): Promise<void> {
    return this.#attempt(async () => this.#tell(await this.#clock.look()));
  }

  /** A failure is logged, and the next sweep tries again; once storage has failed there is none. */
  async #attempt(work: () => Promise<void>): Promise<void> {
    const { store, log } = this.#parts;
    if (this.#isRunning || store.health.failure) return;
    this.#isRunning = true;
    try {
      await work();
    } catch (error) {
      store.health.noticeFailure(error);
      if (store.health.failure) return;
      log.error({ err: error }, "what has expired could not be deleted; the next sweep tries again");
    } finally {
      this.#isRunning = false;
    }
  }

  /** The clock may jump between two steps. */
  async #deleteAll(): Promise<void> {
    const { store, now, conversationsNotBefore } = this.#parts;
    while (!this.isEnded && this.#clock.state.isTrusted) {
      if (!(await store.deleteExpired(now(), conversationsNotBefore()))) return;
      await Bun.sleep(EXPIRY_STEP_PAUSE_MS);
    }
  }

  #tell({ isTrusted, aheadMs, heartbeatAt }: ClockState): void {
    if (isTrusted !== this.#isStopped) return;
    const { log, onStopped } = this.#parts;
    this.#isStopped = !isTrusted;
    onStopped?.(this.#isStopped);
    if (isTrusted) {
      log.info("the clock can be believed; what has expired is deleted again");
      return;
    }
    const fields = { aheadHours: Math.round(aheadMs / HOUR_MS), lastRightAt: toIso(heartbeatAt) };
    log.warn(
      fields,
      "the clock is more than 48 hours ahead of what it last showed; nothing is deleted for its age until `parley doctor --confirm-clock` says that the clock is right",
    );
  }
}

function toIso(at: EpochMs | undefined): string | undefined {
  return at === undefined ? undefined : new Date(at).toISOString();
}
