import type { Logger } from "pino";

import type { HandoffEvent } from "../../domain/handoff.ts";
import type { HandoffStore } from "../../store/interface/handoffs.ts";

/** Who follows what is said in a conversation while a person is there. */
export interface EventFollower {
  /** In order, each once. */
  told(events: readonly HandoffEvent[]): void;
}

interface Watcher {
  conversationId: string;
  after: number;
  follower: EventFollower;
}

interface HubParts {
  handoffs: Pick<HandoffStore, "listEvents" | "releaseExpired">;
  now: () => number;
  log: Pick<Logger, "warn">;
  /** How often it looks for what other servers have written, while somebody follows. */
  everyMs?: number;
}

const LOOK_EVERY_MS = 1000;
/** Streams of one conversation: tabs of one visitor (decisions §12). */
export const MOST_FOLLOWERS = 3;
const AT_ONCE = 100;

/**
 * Tells followers what is said while a person is there. All that is told is read from the store, so that servers on one store tell the same,
 * in the same order, whoever wrote it; a follower that comes back says what it knows.
 */
export class EventHub implements Disposable {
  readonly #parts: HubParts;
  readonly #watchers = new Set<Watcher>();
  #timer: ReturnType<typeof setInterval> | undefined;
  #isLooking = false;
  #isNudged = false;

  constructor(parts: HubParts) {
    this.#parts = parts;
  }

  /** @returns how to leave; undefined where the conversation has as many followers as it may. */
  follow(conversationId: string, after: number, follower: EventFollower): (() => void) | undefined {
    const others = [...this.#watchers].filter((watcher) => watcher.conversationId === conversationId);
    if (others.length >= MOST_FOLLOWERS) return undefined;
    const watcher = { conversationId, after, follower };
    this.#watchers.add(watcher);
    this.#timer ??= setInterval(() => this.nudge(), this.#parts.everyMs ?? LOOK_EVERY_MS);
    this.nudge();
    return () => {
      this.#watchers.delete(watcher);
      if (this.#watchers.size === 0) this[Symbol.dispose]();
    };
  }

  /** There may be something to tell. */
  nudge(): void {
    if (this.#watchers.size === 0) return;
    this.#isNudged = true;
    if (!this.#isLooking) void this.#look();
  }

  [Symbol.dispose](): void {
    clearInterval(this.#timer);
    this.#timer = undefined;
    this.#watchers.clear();
  }

  async #look(): Promise<void> {
    this.#isLooking = true;
    while (this.#isNudged && this.#watchers.size > 0) {
      this.#isNudged = false;
      try {
        await this.#tellAll();
      } catch (error) {
        this.#parts.log.warn({ err: error }, "followers of hand-offs wait: the store does not answer");
      }
    }
    this.#isLooking = false;
  }

  async #tellAll(): Promise<void> {
    const { handoffs, now } = this.#parts;
    await handoffs.releaseExpired(now());
    // Each by itself: two tabs of a conversation may know different things.
    for (const watcher of this.#watchers) {
      const { conversationId, after } = watcher;
      const events =
        (await handoffs.listEvents([{ conversationId, after }], AT_ONCE)).get(conversationId) ?? [];
      const last = events.at(-1);
      if (!last || !this.#watchers.has(watcher)) continue;
      watcher.after = last.number;
      watcher.follower.told(events);
      if (events.length === AT_ONCE) this.#isNudged = true;
    }
  }
}
