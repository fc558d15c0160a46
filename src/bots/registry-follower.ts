import type { Logger } from "pino";

import type { StorageHealth } from "../store/health.ts";
import type { RegistryWatch } from "../store/registry.ts";
import type { BotRegistry } from "./registry.ts";

const LOOK_EVERY_MS = 200;

/** The parts that a follower of the registry uses. */
export interface FollowerParts {
  /** Tells of changes that other processes make to bots and embed tokens. */
  watch: Pick<RegistryWatch, "poll">;
  /** Once storage has failed, everything stays as it is. */
  health: Pick<StorageHealth, "failure" | "noticeFailure">;
  bots: Pick<BotRegistry, "reload" | "size">;
  /** Embed tokens that are known by heart. */
  embedTokens: { clear(): void };
  /** Loads the bots, which takes as long as their training takes. */
  load: () => Promise<void>;
  log: Pick<Logger, "info" | "error">;
}

/** Keeps bots and embed tokens as other processes leave them, within a second, also while bots are being trained. */
export class RegistryFollower {
  readonly #parts: FollowerParts;
  /** Something has changed since the last loading began. */
  #isStale = false;
  #isLoading = false;

  constructor(parts: FollowerParts) {
    this.#parts = parts;
  }

  /** Looks every {@link LOOK_EVERY_MS}. @returns how to stop it. */
  follow(): () => void {
    const timer = setInterval(() => void this.look(), LOOK_EVERY_MS);
    return () => clearInterval(timer);
  }

  /** Takes over what has changed since the last look. A failure is logged, and the next look tries again. */
  async look(): Promise<void> {
    const { health, log } = this.#parts;
    if (health.failure) return;
    try {
      this.#notice();
      if (this.#isStale && !this.#isLoading) await this.#reload();
    } catch (error) {
      this.#isStale = true;
      health.noticeFailure(error);
      if (health.failure) return;
      log.error({ err: error }, "bots and embed tokens could not be reloaded; trying again");
    }
  }

  /** A revoked token, or a disabled bot, does not wait for the training of others. */
  #notice(): void {
    const { watch, embedTokens, bots } = this.#parts;
    if (!watch.poll()) return;
    this.#isStale = true;
    embedTokens.clear();
    if (this.#isLoading) bots.reload();
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
