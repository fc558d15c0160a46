import type { Logger } from "pino";

import type { EpochMs, Now } from "../domain/time.ts";
import { ClockGuard, type ClockState } from "./clock-guard.ts";
import type { Store } from "./interface/store.ts";

const EXPIRY_SWEEP_MS = 60_000;
const EXPIRY_STEP_PAUSE_MS = 50;
const HOUR_MS = 60 * 60 * 1000;

/** The parts of a running server that the sweep uses. */
interface SweepParts {
  store: Pick<Store, "deleteExpired" | "health" | "beatClock" | "readHeartbeat">;
  log: Pick<Logger, "info" | "warn" | "error">;
  now: Now;
  /** A steady clock; only differences count. */
  steadyNow: Now;
  /** Conversations whose last turn is older have expired. */
  conversationsNotBefore: () => EpochMs;
  /** Called when sweeping stops because of the clock, and when it resumes. */
  onStopped?: (isStopped: boolean) => void;
  everyMs?: number;
}

/**
 * Deletes expired data in small steps. A clock that jumps ahead would delete data too early, so then nothing is deleted and a warning is
 * logged, until an operator has confirmed the clock or the clock is right again.
 *
 * @returns a function that stops it.
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

  /** Deletes expired data, if the clock can be trusted. */
  run(): Promise<void> {
    return this.#attempt(async () => {
      this.#tell(await this.#clock.look());
      await this.#deleteAll();
    });
  }

  /** To be called at the start: a server that is never up for long must move the heartbeat on too, and an operator is warned immediately. */
  lookAtClock(): Promise<void> {
    return this.#attempt(async () => this.#tell(await this.#clock.look()));
  }

  /** Logs a failure; the next sweep tries again, unless storage has failed. */
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

  /** Checks the clock before each step, because it may jump in between. */
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
