import type { Logger } from "pino";

import {
  type ClaimedDelivery,
  DELIVERY_EVENTS,
  type DeliveryEvent,
  type DeliveryOutcome,
  type DeliveryTarget,
} from "../domain/delivery.ts";
import { DAY_MS, type EpochMs, HOUR_MS, type Now } from "../domain/time.ts";
import { DeliveryError } from "./delivery-error.ts";
import type { Notice } from "./notice.ts";

const SECOND_MS = 1000;
const MINUTE_MS = 60 * SECOND_MS;

/** Pauses before the retries, as the Standard Webhooks specification suggests: 75 hours in total. */
const PAUSES_MS: readonly number[] = [
  5 * SECOND_MS,
  5 * MINUTE_MS,
  30 * MINUTE_MS,
  2 * HOUR_MS,
  5 * HOUR_MS,
  10 * HOUR_MS,
  14 * HOUR_MS,
  20 * HOUR_MS,
  24 * HOUR_MS,
];

/**
 * Time of the next retry after so many tries; undefined: no more. Spread by up to a tenth, so that retries do not come all at once. Pure.
 */
function nextTryAt(attempts: number, now: EpochMs, random: number): EpochMs | undefined {
  const pause = PAUSES_MS[attempts - 1];
  return pause === undefined ? undefined : now + Math.round(pause * (1 + random / 10));
}

/**
 * A mail server would take a flood of e-mails for spam: so many go to an address at once, and more at a limited rate, at most twenty an
 * hour. Chosen by hand.
 */
const LETTERS_AT_ONCE = 5;
const LETTER_EVERY_MS = 4 * MINUTE_MS;
/** Time window in which e-mails are counted. */
export const LETTERS_COUNT_MS = HOUR_MS;

/**
 * When an address may get its next e-mail; notices that wait until then share it. @param sentAt times of the e-mails of the last hour.
 * Pure.
 */
export function nextLetterAt(sentAt: readonly EpochMs[], now: EpochMs): EpochMs {
  return sentAt.length < LETTERS_AT_ONCE ? now : Math.max(now, Math.max(...sentAt) + LETTER_EVERY_MS);
}

/** A delivery with its notice. */
export interface DueNotice {
  delivery: ClaimedDelivery;
  notice: Notice;
}

/** The parts that a notifier uses. */
export interface NotifierParts {
  outbox: {
    claim(claim: {
      event: DeliveryEvent;
      now: EpochMs;
      leaseMs: number;
      limit: number;
      to?: DeliveryTarget;
    }): Promise<ClaimedDelivery[]>;
    settle(delivery: Pick<ClaimedDelivery, "id" | "leaseEndsAt">, outcome: DeliveryOutcome): Promise<void>;
    deleteEnded(before: EpochMs, limit: number): Promise<number>;
  };
  /** Composes the notice; undefined if its subject is gone. */
  compose: (delivery: ClaimedDelivery) => Promise<Notice | undefined>;
  /** @throws DeliveryError if its receiver must not get anything now. */
  assertRoom: (delivery: ClaimedDelivery) => Promise<void>;
  /** Sends one notice to a webhook, or one or several to an address. @throws DeliveryError */
  send: (due: readonly [DueNotice, ...DueNotice[]]) => Promise<void>;
  /** Called after each try. */
  onTried: (delivery: ClaimedDelivery, state: DeliveryOutcome["state"]) => void;
  now: Now;
  random: () => number;
  log: Pick<Logger, "warn" | "error">;
  /** Interval between two looks for due deliveries, besides calls of `nudge`. */
  everyMs?: number;
}

const LOOK_EVERY_MS = 5000;
/** Longer than a try takes: no other server tries the same delivery at the same time. */
const LEASE_MS = 120_000;
/**
 * Concurrent tries of each event. A receiver that stalls under many events of one kind must not delay others, above all hand-offs, for
 * which a visitor waits.
 */
const AT_ONCE_OF: Readonly<Record<DeliveryEvent, number>> = {
  "handoff.requested": 8,
  "feedback.given": 4,
  "cap.near": 1,
  "turn.refused": 2,
  "turn.unmatched": 2,
  "action.done": 2,
  "action.failed": 2,
};
/** How long ended deliveries are kept for operators. */
const KEPT_MS = 30 * DAY_MS;
/** Maximum number of notices in one e-mail: about 40 KB. */
export const MAX_IN_LETTER = 100;
const DELETE_STEP = 200;
const DELETE_EVERY_MS = 60_000;

const NO_STORE = "webhooks and e-mails wait: the store does not answer";

/** Delivers the outbox: each delivery at least once, with retries. */
export class Notifier {
  readonly #parts: NotifierParts;
  #timer: ReturnType<typeof setInterval> | undefined;
  #running: Promise<void> | undefined;
  readonly #onTheirWay = new Map<ClaimedDelivery, Promise<void>>();
  /** The latest e-mail in progress for each address: the next one waits for it, so that it does not repeat its notices. */
  readonly #letters = new Map<string, Promise<void>>();
  #deletedAt = -Infinity;
  #isNudged = false;
  #isStopped = false;

  constructor(parts: NotifierParts) {
    this.#parts = parts;
  }

  /** @returns a function that stops it, and resolves once no delivery is in progress. */
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

  /** Looks for due deliveries at once. */
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
      for (const batch of batchesOf(await this.#claim(event))) this.#begin(batch);
    }
    await this.#deleteEnded();
  }

  /** Claims as many as there are free places, so that a slow receiver does not delay others. */
  async #claim(event: DeliveryEvent): Promise<ClaimedDelivery[]> {
    const { outbox, now } = this.#parts;
    const running = [...this.#onTheirWay.keys()];
    const ofEvent = running.filter((delivery) => delivery.event === event).length;
    const limit = AT_ONCE_OF[event] - ofEvent;
    if (this.#isStopped || limit <= 0) return [];
    return outbox.claim({ event, now: now(), leaseMs: LEASE_MS, limit });
  }

  /** Its end frees a place for the next. */
  #begin(batch: Batch): void {
    const [{ channel, target }] = batch;
    const before = channel === "mail" ? this.#letters.get(target) : undefined;
    const ended = (before ?? Promise.resolve())
      .then(() => this.#deliver(batch))
      .catch((error: unknown) => this.#parts.log.warn({ err: error }, NO_STORE))
      .finally(() => {
        for (const delivery of batch) this.#onTheirWay.delete(delivery);
        if (this.#letters.get(target) === ended) this.#letters.delete(target);
        if (!this.#isStopped) this.nudge();
      });
    for (const delivery of batch) this.#onTheirWay.set(delivery, ended);
    if (channel === "mail") this.#letters.set(target, ended);
  }

  async #deleteEnded(): Promise<void> {
    const { outbox, now } = this.#parts;
    const at = now();
    if (at - this.#deletedAt < DELETE_EVERY_MS) return;
    this.#deletedAt = at;
    await outbox.deleteEnded(at - KEPT_MS, DELETE_STEP);
  }

  async #deliver(begun: Batch): Promise<void> {
    const { outbox, onTried } = this.#parts;
    const batch: Batch = [...begun, ...(await this.#joinLetter(begun))];
    const outcomes = await this.#try(batch);
    const settled = batch.map((delivery) => ({ delivery, outcome: outcomes.get(delivery)! }));
    for (const { delivery, outcome } of settled) onTried(delivery, outcome.state);
    this.#say(settled);
    await Promise.all(settled.map(({ delivery, outcome }) => outbox.settle(delivery, outcome)));
  }

  /** Adds other notices that wait for the same address to one e-mail. */
  async #joinLetter([{ event, channel, target }, ...others]: Batch): Promise<ClaimedDelivery[]> {
    const { outbox, now } = this.#parts;
    const limit = MAX_IN_LETTER - 1 - others.length;
    if (channel !== "mail") return [];
    return outbox.claim({ event, now: now(), leaseMs: LEASE_MS, limit, to: { channel, target } });
  }

  /** Logs held-back deliveries in one line, however many they are. */
  #say(settled: readonly { delivery: ClaimedDelivery; outcome: DeliveryOutcome }[]): void {
    const failed = settled.filter(({ outcome }) => outcome.state !== "delivered");
    const logged = failed[0]?.outcome.wasHeldBack ? failed.slice(0, 1) : failed;
    for (const { delivery, outcome } of logged) {
      const { id, channel, target, event, attempts } = delivery;
      const fields = { delivery: id, channel, target, event, attempts, reason: outcome.error };
      if (outcome.state === "given-up")
        this.#parts.log.error(fields, "a team was not told, and is not going to be");
      else this.#parts.log.warn(fields, "a team was not told yet");
    }
  }

  /** @returns the result of each delivery. */
  async #try(batch: Batch): Promise<Map<ClaimedDelivery, DeliveryOutcome>> {
    const { assertRoom, compose, send, now } = this.#parts;
    const outcomes = new Map<ClaimedDelivery, DeliveryOutcome>();
    const due: DueNotice[] = [];
    try {
      await assertRoom(batch[0]);
      for (const delivery of batch) {
        const notice = await compose(delivery);
        if (notice !== undefined) due.push({ delivery, notice });
        else outcomes.set(delivery, { state: "given-up", at: now(), error: "what it reports was deleted" });
      }
      const [first, ...others] = due;
      if (first) await send([first, ...others]);
      // One instant for all notices of an e-mail, because it counts as one.
      const at = now();
      for (const { delivery } of due) outcomes.set(delivery, { state: "delivered", at });
    } catch (error) {
      for (const delivery of batch) {
        if (!outcomes.has(delivery)) outcomes.set(delivery, this.#failure(delivery, error));
      }
    }
    return outcomes;
  }

  #failure(delivery: ClaimedDelivery, error: unknown): DeliveryOutcome {
    const { now, random } = this.#parts;
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

/** Deliveries sent together: all due ones for an e-mail address, otherwise a single one. */
type Batch = readonly [ClaimedDelivery, ...ClaimedDelivery[]];

function batchesOf(due: readonly ClaimedDelivery[]): Batch[] {
  const receiverOf = ({ id, channel, target }: ClaimedDelivery) =>
    channel === "mail" ? `mail ${target}` : id;
  return [...Map.groupBy(due, receiverOf).values()].map(([first, ...others]) => [first!, ...others]);
}
