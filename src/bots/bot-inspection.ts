import type { Logger } from "pino";

import type { BotDocument } from "../domain/bot.ts";
import { ServiceError } from "../domain/errors.ts";
import { modelServersOf } from "../domain/responder.ts";
import { compileOutputPolicy, mayHaveUnsafeSchemas } from "../governance/output/output-policy.ts";
import type { ModelFleet } from "../model/model-fleet.ts";
import type { BotHead } from "../store/bots.ts";
import type { Store } from "../store/store.ts";

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
  log: Pick<Logger, "warn" | "error">;
  /** How long a server with many bots does other things first. */
  beginAfterMs?: number;
}

/**
 * Looks once at each version of a bot that is served, and logs what is wrong: a document that is damaged, model servers that are not
 * configured, output schemas that are not safe. Up to a hundred bots at a time are looked at before they are served, more of them behind.
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
   * Takes over which bots are served.
   *
   * @throws UnusableDatabaseError where few bots are new, and the document of one is damaged
   */
  follow(heads: Iterable<BotHead>): void {
    this.#waiting = Array.from(heads)
      .filter((head) => !this.#seen.has(head))
      .toReversed();
    if (this.#waiting.length <= MOST_AT_ONCE) {
      while (this.#waiting.length > 0) this.#inspectNext();
    } else if (!this.#isRunning) {
      void this.#inspectBehind();
    }
  }

  stop(): void {
    this.#isStopped = true;
  }

  async #inspectBehind(): Promise<void> {
    this.#isRunning = true;
    await Bun.sleep(this.#parts.beginAfterMs ?? BEGIN_AFTER_MS);
    while (this.#waiting.length > 0 && !this.#isStopped) {
      const until = performance.now() + STEP_MS;
      while (this.#waiting.length > 0 && performance.now() < until) this.#inspectNextLogged();
      await Bun.sleep(REST_MS);
    }
    this.#isRunning = false;
  }

  #inspectNextLogged(): void {
    const { id } = this.#waiting.at(-1)!;
    try {
      this.#inspectNext();
    } catch (error) {
      // Storage that cannot be read tells of itself; the next change begins again with what is left.
      if (error instanceof ServiceError) return void (this.#waiting = []);
      this.#seen.add(this.#waiting.pop()!);
      this.#parts.log.error({ botId: id, err: error }, "a bot cannot be loaded, and answers nobody");
    }
  }

  /** What throws is looked at again the next time. */
  #inspectNext(): void {
    const head = this.#waiting.at(-1)!;
    const stored = this.#parts.store.findBotDocument(head);
    if (stored) this.#inspect(stored.document);
    this.#seen.add(this.#waiting.pop()!);
  }

  #inspect(document: BotDocument): void {
    this.#warnOfUnknownServers(document);
    this.#warnOfUnsafeSchemas(document);
  }

  /** A bot whose servers are not configured would otherwise show it only to its first visitor. */
  #warnOfUnknownServers(document: BotDocument): void {
    const { models, log } = this.#parts;
    const servers = [...modelServersOf(document)].filter((name) => !models.find(name));
    if (servers.length > 0)
      log.warn({ botId: document.id, servers }, "bot names model servers that are not configured");
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
