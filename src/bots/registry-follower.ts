import type { Logger } from "pino";

import type { Health } from "../store/interface/health.ts";
import type { GenerationWatch } from "../store/interface/store.ts";
import type { BotRegistry } from "./registry.ts";

/** The parts that a follower of the registry uses. */
export interface FollowerParts {
  /** Tells of changes that other processes make to bots and embed tokens. */
  watch: GenerationWatch;
  /** Once storage has failed, everything stays as it is. */
  health: Pick<Health, "failure" | "noticeFailure">;
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
  #isAsking = false;
  /** Of the latest look, where it failed: one cause that lasts is one line of the log. */
  #fault: string | undefined;

  constructor(parts: FollowerParts) {
    this.#parts = parts;
  }

  /** Looks as often as the watch is worth it. @returns how to stop it. */
  follow(): () => void {
    const timer = setInterval(() => void this.look(), this.#parts.watch.everyMs);
    return () => clearInterval(timer);
  }

  /** Takes over what has changed since the last look. A failure is logged, and the next look tries again. */
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

  /** A revoked token, or a disabled bot, does not wait for the training of others. */
  async #notice(): Promise<void> {
    const { embedTokens, bots } = this.#parts;
    if (!(await this.#hasChanged())) return;
    this.#isStale = true;
    embedTokens.clear();
    if (this.#isLoading) await bots.reload();
  }

  /** A look that comes while another still asks leaves it to that one. */
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
