import { setImmediate } from "node:timers/promises";

import type { Logger } from "pino";

import type { HandoffEvent } from "../../domain/handoff.ts";
import type { EpochMs } from "../../domain/time.ts";
import type { Handoffs } from "../../store/interface/store.ts";

/** Receives the events of a conversation with an operator. */
export interface EventFollower {
  /** Events in order, each once. */
  told(events: readonly HandoffEvent[]): void;
  /** The stream ends, because of its maximum duration or because the hand-off is closed. A follower who returns continues there. */
  ended(): void;
}

/** A follower's conversation and position. */
export interface Following {
  conversationId: string;
  /** Number of the last known event. */
  after: number;
  /** Identifies the caller by token and address. */
  caller: string;
}

interface Watcher extends Following {
  follower: EventFollower;
  until: EpochMs;
}

interface HubParts {
  handoffs: Pick<Handoffs, "findOpen" | "listEvents" | "releaseExpired">;
  now: () => number;
  log: Pick<Logger, "warn">;
  /** Interval of checks for other servers' events, while there are followers. */
  everyMs?: number;
  /** Maximum number of streams of all callers. */
  mostStreams?: number;
}

const LOOK_EVERY_MS = 1000;
/** Maximum streams of one conversation: tabs of one visitor. */
export const MAX_FOLLOWERS = 3;
/** Maximum streams of one token and address, which the visitors of an office share. Chosen by hand. */
export const MAX_PER_CALLER = 10;
/** Ends forgotten connections: a visitor who is still there reconnects. Chosen by hand. */
export const MAX_STREAM_MS = 10 * 60_000;
const AT_ONCE = 100;
/** Followers served by one query; visitors' messages are answered before the next. */
const FOLLOWERS_AT_ONCE = 200;

/**
 * Sends events during hand-offs to followers. All events are read from the store, so that all servers on one store send the same events in
 * the same order; a returning follower names the last event it knows.
 */
export class EventHub implements Disposable {
  readonly #parts: HubParts;
  readonly #watchers = new Set<Watcher>();
  #timer: ReturnType<typeof setInterval> | undefined;
  /** Error of the latest check, so that a lasting one is logged once. */
  #fault: string | undefined;
  #isLooking = false;
  #isNudged = false;
  #isClosed = false;

  constructor(parts: HubParts) {
    this.#parts = parts;
  }

  /** @returns a function that unfollows; undefined if the conversation, the caller or the server has the maximum number of streams. */
  follow(following: Following, follower: EventFollower): (() => void) | undefined {
    if (this.#isClosed) {
      follower.ended();
      return () => {};
    }
    if (!this.#hasRoomFor(following)) return undefined;
    const watcher = { ...following, follower, until: this.#parts.now() + MAX_STREAM_MS };
    this.#watchers.add(watcher);
    this.#timer ??= setInterval(() => this.nudge(), this.#parts.everyMs ?? LOOK_EVERY_MS);
    this.nudge();
    return () => this.#leave(watcher);
  }

  /** There may be new events. */
  nudge(): void {
    if (this.#watchers.size === 0) return;
    this.#isNudged = true;
    if (!this.#isLooking) void this.#look();
  }

  /** Ends every stream, so that a stopping server does not wait for followers; they continue at another server or after the restart. */
  [Symbol.dispose](): void {
    this.#isClosed = true;
    for (const watcher of this.#watchers) this.#end(watcher);
  }

  async #look(): Promise<void> {
    this.#isLooking = true;
    while (this.#isNudged && this.#watchers.size > 0) {
      this.#isNudged = false;
      try {
        await this.#tellAll();
        this.#fault = undefined;
      } catch (error) {
        const fault = error instanceof Error ? error.message : String(error);
        if (fault !== this.#fault)
          this.#parts.log.warn({ err: error }, "followers of hand-offs wait: the store does not answer");
        this.#fault = fault;
      }
    }
    this.#isLooking = false;
  }

  async #tellAll(): Promise<void> {
    const { handoffs, now } = this.#parts;
    await handoffs.releaseExpired(now());
    const watchers = [...this.#watchers];
    for (let first = 0; first < watchers.length; first += FOLLOWERS_AT_ONCE) {
      if (first > 0) await setImmediate();
      await this.#tell(watchers.slice(first, first + FOLLOWERS_AT_ONCE));
    }
    for (const watcher of watchers) if (watcher.until <= now()) this.#end(watcher);
  }

  /** Reads the events that the follower with the oldest position misses, and sends each follower its part. */
  async #tell(watchers: readonly Watcher[]): Promise<void> {
    const known = new Map<string, number>();
    for (const { conversationId, after } of watchers) {
      known.set(conversationId, Math.min(after, known.get(conversationId) ?? after));
    }
    const watched = [...known].map(([conversationId, after]) => ({ conversationId, after }));
    const found = await this.#parts.handoffs.listEvents(watched, AT_ONCE);
    const over = await this.#listOver(found);
    for (const watcher of watchers) {
      const { conversationId } = watcher;
      this.#tellOne(watcher, found.get(conversationId) ?? [], over.has(conversationId));
    }
  }

  /** Conversations whose hand-off was closed without a later request. */
  async #listOver(found: ReadonlyMap<string, readonly HandoffEvent[]>): Promise<Set<string>> {
    const over = new Set<string>();
    for (const [conversationId, events] of found) {
      const last = events.at(-1);
      const isClosed = last?.kind === "state" && last.text === "closed";
      if (isClosed && !(await this.#parts.handoffs.findOpen(conversationId))) over.add(conversationId);
    }
    return over;
  }

  #tellOne(watcher: Watcher, found: readonly HandoffEvent[], isOver: boolean): void {
    if (!this.#watchers.has(watcher)) return;
    if (found.length === AT_ONCE) this.#isNudged = true;
    const events = found.filter(({ number }) => number > watcher.after);
    const last = events.at(-1);
    if (!last) return;
    watcher.after = last.number;
    watcher.follower.told(events);
    if (isOver) this.#end(watcher);
  }

  #hasRoomFor({ conversationId, caller }: Following): boolean {
    const others = [...this.#watchers];
    return (
      others.length < (this.#parts.mostStreams ?? Infinity) &&
      others.filter((one) => one.conversationId === conversationId).length < MAX_FOLLOWERS &&
      others.filter((one) => one.caller === caller).length < MAX_PER_CALLER
    );
  }

  #end(watcher: Watcher): void {
    if (!this.#watchers.has(watcher)) return;
    this.#leave(watcher);
    watcher.follower.ended();
  }

  #leave(watcher: Watcher): void {
    this.#watchers.delete(watcher);
    if (this.#watchers.size > 0) return;
    clearInterval(this.#timer);
    this.#timer = undefined;
  }
}
