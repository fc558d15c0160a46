import type { Logger } from "pino";

import {
  DELIVERY_EVENTS,
  type DeliveryEvent,
  type DeliveryOutcome,
  type DueDelivery,
} from "../domain/delivery.ts";
import type { DeliveryId } from "../domain/ids.ts";
import type { EpochMs, Now } from "../domain/time.ts";
import { DeliveryError } from "./delivery-error.ts";
import type { Notice } from "./notice.ts";
import { nextTryAt } from "./schedule.ts";

/** The parts that a notifier uses. */
export interface NotifierParts {
  outbox: {
    claim(claim: {
      event: DeliveryEvent;
      now: EpochMs;
      leaseMs: number;
      limit: number;
    }): Promise<DueDelivery[]>;
    settle(id: DeliveryId, outcome: DeliveryOutcome): Promise<void>;
    deleteEnded(before: EpochMs, limit: number): Promise<number>;
  };
  /** What is told; undefined where it is gone. */
  compose: (delivery: DueDelivery) => Promise<Notice | undefined>;
  /** @throws DeliveryError */
  send: (delivery: DueDelivery, notice: Notice) => Promise<void>;
  /** Told of each try. */
  onTried: (delivery: DueDelivery, state: DeliveryOutcome["state"]) => void;
  now: Now;
  random: () => number;
  log: Pick<Logger, "warn" | "error">;
  /** How often it looks for what is due, beside being told. */
  everyMs?: number;
}

const LOOK_EVERY_MS = 5000;
/** Longer than a try takes: while it lasts nobody else tries the same. */
const LEASE_MS = 120_000;
/** Tries at a time. Each event has places of its own: a receiver that stalls with a flood of one holds up no other, and no hand-off, for which a visitor waits. */
const AT_ONCE_OF: Readonly<Record<DeliveryEvent, number>> = {
  "handoff.requested": 8,
  "feedback.given": 4,
  "cap.near": 1,
  "turn.refused": 2,
  "turn.unmatched": 2,
};
/** For how long operators see what was delivered, or was not. */
const KEPT_MS = 30 * 24 * 60 * 60 * 1000;
const DELETE_STEP = 200;
const DELETE_EVERY_MS = 60_000;

const NO_STORE = "webhooks and e-mails wait: the store does not answer";

/** Delivers what stands in the outbox: at least once each, again and again while that fails. */
export class Notifier {
  readonly #parts: NotifierParts;
  #timer: ReturnType<typeof setInterval> | undefined;
  #running: Promise<void> | undefined;
  readonly #onTheirWay = new Map<DueDelivery, Promise<void>>();
  #deletedAt = -Infinity;
  #isNudged = false;
  #isStopped = false;

  constructor(parts: NotifierParts) {
    this.#parts = parts;
  }

  /** @returns how to stop it; resolves when no delivery is on its way any more. */
  start(): () => Promise<void> {
    this.#timer = setInterval(() => this.nudge(), this.#parts.everyMs ?? LOOK_EVERY_MS);
    this.nudge();
    return async () => {
      this.#isStopped = true;
      clearInterval(this.#timer);
      await this.#running;
      await Promise.all(this.#onTheirWay.values());
    };
  }

  /** There may be something to deliver. */
  nudge(): void {
    this.#isNudged = true;
    this.#running ??= this.#run().finally(() => {
      this.#running = undefined;
    });
  }

  async #run(): Promise<void> {
    while (this.#isNudged && !this.#isStopped) {
      this.#isNudged = false;
      try {
        await this.#deliverAll();
      } catch (error) {
        this.#parts.log.warn({ err: error }, NO_STORE);
      }
    }
  }

  async #deliverAll(): Promise<void> {
    for (const event of DELIVERY_EVENTS) {
      for (const delivery of await this.#claim(event)) this.#begin(delivery);
    }
    await this.#deleteEnded();
  }

  /** As many as there are places: a receiver that is slow holds up no other. */
  async #claim(event: DeliveryEvent): Promise<DueDelivery[]> {
    const { outbox, now } = this.#parts;
    const running = [...this.#onTheirWay.keys()];
    const ofEvent = running.filter((delivery) => delivery.event === event).length;
    const limit = AT_ONCE_OF[event] - ofEvent;
    if (this.#isStopped || limit <= 0) return [];
    return outbox.claim({ event, now: now(), leaseMs: LEASE_MS, limit });
  }

  /** When it has ended there is a place for the next. */
  #begin(delivery: DueDelivery): void {
    const ended = this.#deliver(delivery)
      .catch((error: unknown) => this.#parts.log.warn({ err: error }, NO_STORE))
      .finally(() => {
        this.#onTheirWay.delete(delivery);
        if (!this.#isStopped) this.nudge();
      });
    this.#onTheirWay.set(delivery, ended);
  }

  async #deleteEnded(): Promise<void> {
    const { outbox, now } = this.#parts;
    const at = now();
    if (at - this.#deletedAt < DELETE_EVERY_MS) return;
    this.#deletedAt = at;
    await outbox.deleteEnded(at - KEPT_MS, DELETE_STEP);
  }

  async #deliver(delivery: DueDelivery): Promise<void> {
    const { outbox, onTried, log } = this.#parts;
    const outcome = await this.#try(delivery);
    onTried(delivery, outcome.state);
    const { id, channel, target, event, attempts } = delivery;
    if (outcome.state !== "delivered") {
      const fields = { delivery: id, channel, target, event, attempts, reason: outcome.error };
      if (outcome.state === "given-up") log.error(fields, "a team was not told, and is not going to be");
      else log.warn(fields, "a team was not told yet");
    }
    await outbox.settle(id, outcome);
  }

  async #try(delivery: DueDelivery): Promise<DeliveryOutcome> {
    const { compose, send, now, random } = this.#parts;
    try {
      const notice = await compose(delivery);
      if (notice === undefined) return { state: "given-up", at: now(), error: "what it tells of is gone" };
      await send(delivery, notice);
      return { state: "delivered", at: now() };
    } catch (error) {
      const isKnown = error instanceof DeliveryError;
      if (isKnown && error.notBefore !== undefined) {
        const { message, notBefore: nextAt } = error;
        return { state: "waiting", at: now(), nextAt, wasHeldBack: true, error: message };
      }
      if (!isKnown) this.#parts.log.error({ err: error, delivery: delivery.id }, "a delivery failed");
      const nextAt = isKnown && error.isFinal ? undefined : nextTryAt(delivery.attempts, now(), random());
      const reason = isKnown ? error.message : "an error of Parley's own; the log has it";
      return {
        state: nextAt === undefined ? "given-up" : "waiting",
        at: now(),
        error: reason,
        ...(nextAt !== undefined && { nextAt }),
      };
    }
  }
}
