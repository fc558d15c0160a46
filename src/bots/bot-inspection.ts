import type { Logger } from "pino";

import type { BotDocument } from "../domain/bot.ts";
import { closestName } from "../domain/closest-name.ts";
import { ServiceError } from "../domain/errors.ts";
import { modelServersOf } from "../domain/responder.ts";
import { compileOutputPolicy, mayHaveUnsafeSchemas } from "../governance/output/output-policy.ts";
import type { ModelFleet } from "../model/model-fleet.ts";
import type { BotHead } from "../store/interface/bots.ts";
import type { Store } from "../store/interface/store.ts";
import { readBot } from "./read-bot.ts";

/** Maximum number of bots inspected before they are served, which takes about 25 ms. */
const MAX_AT_ONCE = 100;
/** Delay after a start, which has more urgent work. */
const BEGIN_AFTER_MS = 1000;
/** Inspecting many bots takes a twentieth of the thread: 1,000 bots take about 5 s, 10,000 less than a minute. */
const STEP_MS = 1;
const REST_MS = 19;

/** The parts that an inspection uses. */
export interface InspectionParts {
  store: Pick<Store, "findBotDocument">;
  models: Pick<ModelFleet, "find">;
  /** Configured webhooks, by name. */
  webhooks: Readonly<Record<string, unknown>>;
  log: Pick<Logger, "warn" | "error">;
  /** Delay of the inspection on a server with many bots. */
  beginAfterMs?: number;
}

/**
 * Inspects each served version of a bot once, and logs faults: damaged documents, model servers and webhooks that are not configured,
 * unsafe output schemas. Up to a hundred bots at a time are inspected before they are served, more of them in the background.
 */
export class BotInspection {
  readonly #parts: InspectionParts;
  readonly #seen = new WeakSet<BotHead>();
  /** Bots to inspect; the next one is last. */
  #waiting: BotHead[] = [];
  #isRunning = false;
  #isStopped = false;

  constructor(parts: InspectionParts) {
    this.#parts = parts;
  }

  /**
   * Takes over the list of served bots. An unreadable bot is logged and does not affect the others.
   *
   * @throws ServiceError if few bots are new and the storage cannot be read at all
   */
  async follow(heads: Iterable<BotHead>): Promise<void> {
    this.#waiting = Array.from(heads)
      .filter((head) => !this.#seen.has(head))
      .toReversed();
    if (this.#waiting.length > MAX_AT_ONCE) {
      if (!this.#isRunning) void this.#inspectBehind();
      return;
    }
    for (let head = this.#waiting.pop(); head; head = this.#waiting.pop()) await this.#inspect(head);
  }

  stop(): void {
    this.#isStopped = true;
  }

  async #inspectBehind(): Promise<void> {
    this.#isRunning = true;
    await Bun.sleep(this.#parts.beginAfterMs ?? BEGIN_AFTER_MS);
    while (this.#waiting.length > 0 && !this.#isStopped) {
      await this.#inspectUntil(performance.now() + STEP_MS);
      await Bun.sleep(REST_MS);
    }
    this.#isRunning = false;
  }

  async #inspectUntil(end: number): Promise<void> {
    while (performance.now() < end && !this.#isStopped) {
      const head = this.#waiting.pop();
      if (!head) return;
      try {
        await this.#inspect(head);
      } catch {
        // Unreadable storage is reported elsewhere; the next change starts again.
        this.#waiting = [];
      }
    }
  }

  /** @throws ServiceError if the storage cannot be read; the bot is inspected again next time. */
  async #inspect(head: BotHead): Promise<void> {
    this.#seen.add(head);
    try {
      const stored = await readBot(this.#parts.store, head);
      if (stored) this.#warnOf(stored.document);
    } catch (error) {
      if (error instanceof ServiceError || this.#isStopped) {
        this.#seen.delete(head);
        throw error;
      }
      this.#parts.log.error(
        { botId: head.id, err: error },
        "a bot cannot be read, and answers nobody until it is seeded again",
      );
    }
  }

  #warnOf(document: BotDocument): void {
    this.#warnOfUnknownServers(document);
    this.#warnOfUnknownWebhook(document);
    this.#warnOfUnsafeSchemas(document);
  }

  /** Without this warning, missing servers would show only when the first visitor gets an error. */
  #warnOfUnknownServers(document: BotDocument): void {
    const { models, log } = this.#parts;
    const servers = [...modelServersOf(document)].filter((name) => !models.find(name));
    if (servers.length > 0)
      log.warn({ botId: document.id, servers }, "bot names model servers that are not configured");
  }

  /** Without this warning, missing webhooks would go unnoticed, because their notices are simply not sent. */
  #warnOfUnknownWebhook({ id, handoff }: BotDocument): void {
    const { webhooks, log } = this.#parts;
    const webhook = handoff?.webhook;
    if (webhook === undefined || Object.hasOwn(webhooks, webhook)) return;
    const closest = closestName(webhook, Object.keys(webhooks));
    const meant = closest === undefined ? {} : { didYouMean: closest };
    log.warn({ botId: id, webhook, ...meant }, "bot names a webhook that is not configured");
  }

  /** An earlier version accepted the schema: the bot answers with its fallback. Schemas that cannot be unsafe are not compiled for this. */
  #warnOfUnsafeSchemas(document: BotDocument): void {
    const faults = mayHaveUnsafeSchemas(document) ? compileOutputPolicy(document).faults : [];
    if (faults.length === 0) return;
    this.#parts.log.warn(
      { botId: document.id, faults },
      "an output schema is not safe to check: its answers are replaced by the fallback until the bot is seeded with another",
    );
  }
}
