import type { Logger } from "pino";

import type { EventReporting, ReportedEvents } from "./interface/outbox.ts";
import type { Store } from "./interface/store.ts";

/** The parts of a running server that counting uses. */
interface CountingParts {
  store: Pick<Store, "analytics" | "health">;
  log: Pick<Logger, "info" | "error">;
  /** Recipients of events that counting finds; absent if there are none. */
  reporting?: EventReporting;
  /** Called after each step that found events. */
  onReported?: (reported: ReportedEvents) => void;
  /** Interval between two looks for uncounted turns. */
  everyMs?: number;
}

const LOOK_EVERY_MS = 1000;
/** Turns of the first step. The size of later steps follows from the engine's pace. Chosen by hand. */
const FIRST_STEP = 20;
const MIN_TURNS = 5;
/** After an upgrade there may be millions of turns to count: interval of the progress in the log. */
const TELL_EVERY_MS = 30_000;

/** Counts turns and indexes their words in the background, in small steps with pauses, so that messages do not wait. */
export class CountBehind implements Disposable {
  readonly #parts: CountingParts;
  readonly #timer: Timer;
  #most = FIRST_STEP;
  #running: Promise<void> | undefined;
  /** Error of the latest look, if it failed: a lasting cause is logged once. */
  #fault: string | undefined;
  #isEnded = false;
  #toldAt = 0;
  #hasTold = false;

  constructor(parts: CountingParts) {
    this.#parts = parts;
    this.#timer = setInterval(() => void this.#start(), parts.everyMs ?? LOOK_EVERY_MS);
  }

  /**
   * Counts a few steps for an operator who is about to read sums; does nothing if many turns are uncounted.
   */
  async catchUp(): Promise<void> {
    if (this.#running) return;
    await this.#attempt(async () => {
      await this.#step();
    });
  }

  [Symbol.dispose](): void {
    this.#isEnded = true;
    clearInterval(this.#timer);
  }

  #start(): Promise<void> {
    this.#running ??= this.#attempt(() => this.#countAll()).finally(() => (this.#running = undefined));
    return this.#running;
  }

  /** Logs a failure; the next look tries again, unless storage has failed. */
  async #attempt(work: () => Promise<void>): Promise<void> {
    const { store, log } = this.#parts;
    if (this.#isEnded || store.health.failure) return;
    try {
      await work();
      this.#fault = undefined;
    } catch (error) {
      store.health.noticeFailure(error);
      if (store.health.failure || this.#isEnded) return;
      const fault = error instanceof Error ? error.message : String(error);
      if (fault !== this.#fault)
        log.error({ err: error }, "messages could not be counted for the console; trying again");
      this.#fault = fault;
    }
  }

  async #countAll(): Promise<void> {
    this.#toldAt = performance.now();
    while (!this.#isEnded) {
      const { mayGoOn, tookMs } = await this.#step();
      if (!mayGoOn || this.#isEnded) break;
      await this.#tell();
      await Bun.sleep(this.#parts.store.analytics.countingPace.pauses * tookMs);
    }
    if (this.#hasTold && !this.#isEnded) this.#parts.log.info("all messages are counted for the console");
    this.#hasTold = false;
  }

  /** The size of a step follows from the duration of the step before. */
  async #step(): Promise<{ mayGoOn: boolean; tookMs: number }> {
    const { reporting, onReported } = this.#parts;
    const { analytics } = this.#parts.store;
    const { counted, mayGoOn, tookMs, reported } = await analytics.countTurns(this.#most, reporting);
    if (reported) onReported?.(reported);
    if (counted === this.#most) {
      const { stepMs, mostTurns } = analytics.countingPace;
      const wanted = (this.#most * stepMs) / Math.max(tookMs, 0.1);
      const next = Math.min(Math.max(wanted, this.#most / 2, MIN_TURNS), this.#most * 1.5, mostTurns);
      this.#most = Math.round(next);
    }
    return { mayGoOn, tookMs };
  }

  async #tell(): Promise<void> {
    if (performance.now() - this.#toldAt < TELL_EVERY_MS) return;
    this.#toldAt = performance.now();
    this.#hasTold = true;
    const { share } = await this.#parts.store.analytics.countingState();
    const percent = Math.floor(share * 100);
    this.#parts.log.info({ percent }, "earlier messages are being counted for the console in the background");
  }
}
