import type { Logger } from "pino";

import type { StorageHealth } from "./health.ts";
import { type CheckOutcome, type RunningCheck, startQuickCheck } from "./quick-check.ts";

const LOOK_EVERY_MS = 1000;
/** Delay of the first check, so that it does not slow the start. Chosen by hand. */
const FIRST_CHECK_AFTER_MS = 5000;
const CHECK_EVERY_MS = 7 * 24 * 60 * 60 * 1000;
/** A check that could not run is tried again after this time. Chosen by hand. */
const RETRY_AFTER_MS = 60 * 60 * 1000;

/** The parts of a running server that the watch uses. */
interface WatchParts {
  store: {
    readonly health: Pick<StorageHealth, "failure" | "checkFiles" | "failAsDamaged">;
    readonly file: string | undefined;
  };
  log: Pick<Logger, "info" | "warn" | "error">;
  /** Called after each check that found the database sound. */
  onSound: () => void;
  firstCheckAfterMs?: number;
  lookEveryMs?: number;
  startCheck?: (file: string) => RunningCheck;
}

/**
 * Checks every second whether the open files are still those at their paths. Checks every page of the database in the background, shortly
 * after the start and every week.
 *
 * @returns a function that stops it.
 */
export function watchStorage(parts: WatchParts): () => void {
  const { firstCheckAfterMs = FIRST_CHECK_AFTER_MS, lookEveryMs = LOOK_EVERY_MS } = parts;
  const { file } = parts.store;
  if (file === undefined) return () => {};
  const checks = new Checks(parts, file);
  const looking = setInterval(() => checks.look(), lookEveryMs);
  checks.plan(firstCheckAfterMs);
  return () => {
    clearInterval(looking);
    checks.stop();
  };
}

class Checks {
  readonly #parts: WatchParts;
  readonly #file: string;
  #timer: NodeJS.Timeout | undefined;
  #running: RunningCheck | undefined;
  #isStopped = false;
  #isLookLogged = false;

  constructor(parts: WatchParts, file: string) {
    this.#parts = parts;
    this.#file = file;
  }

  /**
   * An error thrown in a timer would end the server: it is logged instead, once until a look succeeds.
   *
   * @returns whether the files could be checked.
   */
  look(): boolean {
    const { store, log } = this.#parts;
    try {
      store.health.checkFiles();
      this.#isLookLogged = false;
      return true;
    } catch (err) {
      if (!this.#isLookLogged)
        log.error({ err }, "the files of the database could not be looked at; the next look is in a second");
      this.#isLookLogged = true;
      return false;
    }
  }

  plan(afterMs: number): void {
    this.#timer = setTimeout(() => void this.#check(), afterMs);
  }

  stop(): void {
    this.#isStopped = true;
    clearTimeout(this.#timer);
    this.#running?.stop();
  }

  async #check(): Promise<void> {
    if (this.#parts.store.health.failure) return;
    const outcome = await this.#run();
    if (this.#isStopped) return;
    this.#take(outcome);
    this.plan(outcome.kind === "unknown" ? RETRY_AFTER_MS : CHECK_EVERY_MS);
  }

  async #run(): Promise<CheckOutcome> {
    const { startCheck = startQuickCheck } = this.#parts;
    try {
      this.#running = startCheck(this.#file);
      return await this.#running.outcome;
    } catch (error) {
      return { kind: "unknown", reason: (error as Error).message };
    }
  }

  #take(outcome: CheckOutcome): void {
    const { store, log, onSound } = this.#parts;
    // The check read the file by path, so its result counts only if that is the open file.
    const isLookedAt = this.look();
    if (outcome.kind === "damaged")
      store.health.failAsDamaged(`a check of every page found: ${outcome.finding}`);
    if (outcome.kind === "unknown") {
      const { reason } = outcome;
      log.warn({ reason }, "the database could not be checked for damage; the next try is in an hour");
    }
    if (outcome.kind === "sound" && isLookedAt && !store.health.failure) {
      onSound();
      log.info("every page of the database was read and is sound");
    }
  }
}
