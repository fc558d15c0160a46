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

/** So many bots are looked at before they are served, which takes some 25 ms. */
const MOST_AT_ONCE = 100;
/** A start has other things to do first. */
const BEGIN_AFTER_MS = 1000;
/** The inspection of many bots takes a twentieth of the thread: 1,000 bots take some 5 s, 10,000 less than a minute. */
const STEP_MS = 1;
const REST_MS = 19;

/** The parts that an inspection uses. */
export interface InspectionParts {
  store: Pick<Store, "findBotDocument">;
  models: Pick<ModelFleet, "find">;
  /** Those that are configured, by name. */
  webhooks: Readonly<Record<string, unknown>>;
  log: Pick<Logger, "warn" | "error">;
  /** How long a server with many bots does other things first. */
  beginAfterMs?: number;
}

/**
 * Looks once at each version of a bot that is served, and logs what is wrong: a document that is damaged, model servers that are not
 * configured, webhooks that are not, output schemas that are not safe. Up to a hundred bots at a time are looked at before they are served, more of them behind.
 */
export class BotInspection {
  readonly #parts: InspectionParts;
  readonly #seen = new WeakSet<BotHead>();
  /** The next one stands at the end. */
  #waiting: BotHead[] = [];
  #isRunning = false;
  #isStopped = false;

  constructor(parts: InspectionParts) {
    this.#parts = parts;
  }

  /**
   * Takes over which bots are served. One that cannot be read is named in the log, and holds up none of the others.
   *
   * @throws ServiceError where few bots are new, and storage cannot be read at all
   */
  async follow(heads: Iterable<BotHead>): Promise<void> {
    this.#waiting = Array.from(heads)
      .filter((head) => !this.#seen.has(head))
      .toReversed();
    if (this.#waiting.length > MOST_AT_ONCE) {
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
        // Storage that cannot be read tells of itself; the next change begins again with what is left.
        this.#waiting = [];
      }
    }
  }

  /** @throws ServiceError where storage cannot be read; the bot is looked at again the next time. */
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

  /** A bot whose servers are not configured would otherwise show it only to its first visitor. */
  #warnOfUnknownServers(document: BotDocument): void {
    const { models, log } = this.#parts;
    const servers = [...modelServersOf(document)].filter((name) => !models.find(name));
    if (servers.length > 0)
      log.warn({ botId: document.id, servers }, "bot names model servers that are not configured");
  }

  /** What is sent to a webhook that is not there is never told of: nothing else would show it. */
  #warnOfUnknownWebhook({ id, handoff }: BotDocument): void {
    const { webhooks, log } = this.#parts;
    const webhook = handoff?.webhook;
    if (webhook === undefined || Object.hasOwn(webhooks, webhook)) return;
    const closest = closestName(webhook, Object.keys(webhooks));
    const meant = closest === undefined ? {} : { didYouMean: closest };
    log.warn({ botId: id, webhook, ...meant }, "bot names a webhook that is not configured");
  }

  /** Seeded by an earlier version, which took the schema: the bot goes on, and answers with its fallback. Other schemas are not compiled for this. */
  #warnOfUnsafeSchemas(document: BotDocument): void {
    const faults = mayHaveUnsafeSchemas(document) ? compileOutputPolicy(document).faults : [];
    if (faults.length === 0) return;
    this.#parts.log.warn(
      { botId: document.id, faults },
      "an output schema is not safe to check: its answers are replaced by the fallback until the bot is seeded with another",
    );
  }
}
