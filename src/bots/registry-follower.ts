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
  #isAsking = false;
  /** Error of the latest check, so that a lasting one is logged once. */
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
        log.error({ err: error }, "bots and embed tokens could not be reloaded; tried again until it works");
      this.#fault = fault;
    }
  }

  /** Revoked tokens and disabled bots must take effect without waiting for the training of others. */
  async #notice(): Promise<void> {
    const { embedTokens, bots } = this.#parts;
    if (!(await this.#hasChanged())) return;
    this.#isStale = true;
    embedTokens.clear();
    if (this.#isLoading) await bots.reload();
  }

  /** A check during another one relies on that one. */
  async #hasChanged(): Promise<boolean> {
    if (this.#isAsking) return false;
    this.#isAsking = true;
    try {
      return await this.#parts.watch.poll();
    } finally {
      this.#isAsking = false;
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
