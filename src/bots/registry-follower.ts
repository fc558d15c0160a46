import type { Logger } from "pino";

import type { Health } from "../store/interface/health.ts";
import type { GenerationWatch } from "../store/interface/store.ts";
import type { BotRegistry } from "./registry.ts";

/** The parts that a follower of the registry uses. */
export interface FollowerParts {
  /** Detects changes by other processes to bots and embed tokens. */
  watch: GenerationWatch;
  /** After a storage failure nothing is reloaded. */
  health: Pick<Health, "failure" | "noticeFailure">;
  bots: Pick<BotRegistry, "reload" | "size">;
  /** Cache of embed tokens. */
  embedTokens: { clear(): void };
  /** Loads the bots; may take as long as training them. */
  load: () => Promise<void>;
  log: Pick<Logger, "info" | "error">;
}

/** Takes over other processes' changes of bots and embed tokens within a second, also during training. */
export class RegistryFollower {
  readonly #parts: FollowerParts;
  /** Something has changed since the last load began. */
  #isStale = false;
  #isLoading = false;
  #isPolling = false;
  /** Message of the latest check's error, so that an error that repeats is logged once. */
  #fault: string | undefined;

  constructor(parts: FollowerParts) {
    this.#parts = parts;
  }

  /** Checks at the watch's interval. @returns a function that stops it. */
  follow(): () => void {
    const timer = setInterval(() => void this.look(), this.#parts.watch.everyMs);
    return () => clearInterval(timer);
  }

  /** Takes over changes since the last check. A failure is logged, and the next check tries again. */
  async look(): Promise<void> {
    const { health, log } = this.#parts;
    if (health.failure) return;
    try {
      await this.#notice();
      if (this.#isStale && !this.#isLoading) await this.#reload();
      this.#fault = undefined;
    } catch (error) {
      this.#isStale = true;
      health.noticeFailure(error);
      if (health.failure) return;
      const fault = error instanceof Error ? error.message : String(error);
      if (fault !== this.#fault)
        log.error({ err: error }, "bots and embed tokens could not be reloaded; trying again");
      this.#fault = fault;
    }
  }

  /**
   * Polls for changes and forgets cached tokens. While a load trains bots, the registry is reloaded at once: revoked tokens and disabled bots
   * must not stay in use until the training ends.
   */
  async #notice(): Promise<void> {
    const { embedTokens, bots } = this.#parts;
    if (!(await this.#hasChanged())) return;
    this.#isStale = true;
    embedTokens.clear();
    if (this.#isLoading) await bots.reload();
  }

  /** False while another check polls: that one takes the change over. */
  async #hasChanged(): Promise<boolean> {
    if (this.#isPolling) return false;
    this.#isPolling = true;
    try {
      return await this.#parts.watch.poll();
    } finally {
      this.#isPolling = false;
    }
  }

  async #reload(): Promise<void> {
    const { load, bots, log } = this.#parts;
    this.#isLoading = true;
    this.#isStale = false;
    try {
      await load();
      log.info({ bots: bots.size }, "bots and embed tokens reloaded");
    } finally {
      this.#isLoading = false;
    }
  }
}
