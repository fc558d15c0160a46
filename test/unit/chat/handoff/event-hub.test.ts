import { describe, expect, test } from "bun:test";

import { EventHub, MAX_STREAM_MS } from "../../../../src/chat/handoff/event-hub.ts";
import type { HandoffEvent } from "../../../../src/domain/handoff.ts";
import type { WatchedEvents } from "../../../../src/store/interface/handoffs.ts";

const said = (number: number): HandoffEvent => ({ number, at: 0, kind: "operator", text: `word ${number}` });

class World implements Disposable {
  readonly events: HandoffEvent[] = [];
  readonly asked: number[] = [];
  at = 0;
  readonly hub = new EventHub({
    handoffs: {
      findOpen: async () => undefined,
      releaseExpired: async () => 0,
      listEvents: async (watched, limit) => this.#list(watched, limit),
    },
    now: () => this.at,
    log: { warn: () => {} },
    everyMs: 1,
    mostStreams: 450,
  });

  follow(conversationId: string, { after = 0, caller = conversationId } = {}) {
    const told: number[] = [];
    const end = Promise.withResolvers<void>();
    const leave = this.hub.follow(
      { conversationId, after, caller },
      { told: (events) => told.push(...events.map(({ number }) => number)), ended: end.resolve },
    );
    return { told, ended: end.promise, leave };
  }

  [Symbol.dispose](): void {
    this.hub[Symbol.dispose]();
  }

  #list(watched: readonly WatchedEvents[], limit: number): Map<string, HandoffEvent[]> {
    this.asked.push(watched.length);
    return new Map(
      watched.map(({ conversationId, after }) => [
        conversationId,
        this.events.filter(({ number }) => number > after).slice(0, limit),
      ]),
    );
  }
}

describe("the hub of events", () => {
  test("tells each tab of a conversation what it misses, once and in order, however much it is", async () => {
    using world = new World();
    world.events.push(...Array.from({ length: 250 }, (_, index) => said(index + 1)));
    const [first, second] = [world.follow("cv"), world.follow("cv", { after: 200 })];
    while (first.told.length < 250) await Bun.sleep(1);
    expect(first.told).toEqual(world.events.map(({ number }) => number));
    expect(second.told).toEqual(world.events.slice(200).map(({ number }) => number));
  });

  test("asks for 200 conversations at a time", async () => {
    using world = new World();
    for (let i = 0; i < 450; i += 1) expect(world.follow(`cv${i}`).leave).toBeDefined();
    while (!world.asked.includes(50)) await Bun.sleep(1);
    expect(Math.max(...world.asked)).toBe(200);
    expect(world.follow("one more").leave).toBeUndefined();
  });

  test("ends a stream after ten minutes, and has room again", async () => {
    using world = new World();
    const streams = Array.from({ length: 10 }, (_, index) => world.follow(`cv${index}`, { caller: "one" }));
    expect(world.follow("cv", { caller: "one" }).leave).toBeUndefined();
    world.at = MAX_STREAM_MS;
    for (const { ended } of streams) await ended;
    expect(world.follow("cv", { caller: "one" }).leave).toBeDefined();
  });
});

test("a server that stops ends the streams of all followers, and of who comes meanwhile", async () => {
  using world = new World();
  const followers = ["cv_1", "cv_2"].map((id) => world.follow(id));
  world.hub[Symbol.dispose]();
  await Promise.all([...followers, world.follow("cv_3")].map(({ ended }) => ended));
});
