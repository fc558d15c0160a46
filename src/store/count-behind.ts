import type { Logger } from "pino";

import type { Telling, ToldBehind } from "./interface/outbox.ts";
import type { Store } from "./interface/store.ts";

/** What counting needs of a running server. */
interface CountingParts {
  store: Pick<Store, "analytics" | "health">;
  log: Pick<Logger, "info" | "error">;
  /** Who is told of what is counted; absent where nobody is. */
  telling?: Telling;
  /** Told of each step that tells of anything. */
  onTold?: (told: ToldBehind) => void;
  /** How often it is looked whether there is anything to count. */
  everyMs?: number;
}

const LOOK_EVERY_MS = 1000;
/** Turns of the first step; later ones take as long as the engine's pace says. */
const FIRST_STEP = 20;
const FEWEST_TURNS = 5;
/** After an upgrade there may be millions of turns: how often the log says how far it is. */
const TELL_EVERY_MS = 30_000;

/** Has turns counted and their words indexed, behind the visitors' backs: in small steps, with pauses between them. */
export class CountBehind implements Disposable {
  readonly #parts: CountingParts;
  readonly #timer: Timer;
  #most = FIRST_STEP;
  #running: Promise<void> | undefined;
  /** Of the latest look, where it failed: one cause that lasts is one line of the log. */
  #fault: string | undefined;
  #isEnded = false;
  #toldAt = 0;
  #hasTold = false;

  constructor(parts: CountingParts) {
    this.#parts = parts;
    this.#timer = setInterval(() => void this.#start(), parts.everyMs ?? LOOK_EVERY_MS);
  }

  /**
   * Counts what can be counted at once, for somebody who is about to look: some steps at most, and none where many turns are waiting.
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

  /** A failure is logged, and the next look tries again; once storage has failed there is none. */
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
        log.error(
          { err: error },
          "messages could not be counted for the console; tried again until it works",
        );
      this.#fault = fault;
    }
  }

  async #countAll(): Promise<void> {
    this.#toldAt = performance.now();
    for (;;) {
      const { mayGoOn, tookMs } = await this.#step();
      if (!mayGoOn || this.#isEnded) break;
      await this.#tell();
      await Bun.sleep(this.#parts.store.analytics.countingPace.pauses * tookMs);
    }
    if (this.#hasTold && !this.#isEnded) this.#parts.log.info("all messages are counted for the console");
    this.#hasTold = false;
  }

  /** The size of a step follows from how long the one before was at work. */
  async #step(): Promise<{ mayGoOn: boolean; tookMs: number }> {
    const { telling, onTold } = this.#parts;
    const { analytics } = this.#parts.store;
    const { counted, mayGoOn, tookMs, told } = await analytics.countTurns(this.#most, telling);
    if (told) onTold?.(told);
    if (counted === this.#most) {
      const { stepMs, mostTurns } = analytics.countingPace;
      const wanted = (this.#most * stepMs) / Math.max(tookMs, 0.1);
      const next = Math.min(Math.max(wanted, this.#most / 2, FEWEST_TURNS), this.#most * 1.5, mostTurns);
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
    this.#parts.log.info(
      { percent },
      "messages of earlier are being counted for the console, behind the messages of now",
    );
  }
}
