import { describe, expect, test } from "bun:test";

import { type LoadPlan, plannedGet, plannedPost } from "../../bench/load/plan.ts";
import { playWithProcesses } from "../../bench/load/processes.ts";
import { findWrk, playWithWrk } from "../../bench/load/wrk.ts";

interface Received {
  conversationId?: string;
  input: string;
}

/** Answers as POST /chat does, and keeps how many messages each conversation had. */
function chatServer() {
  const turnsOf = new Map<string, number>();
  const server = Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    async fetch(request) {
      if (request.method === "GET") return Response.json({ ok: true });
      const { conversationId = `cv_${turnsOf.size}`, input } = (await request.json()) as Received;
      if (input.trim() === "") return new Response(null, { status: 400 });
      turnsOf.set(conversationId, (turnsOf.get(conversationId) ?? 0) + 1);
      return Response.json({ conversationId, response: "Grüße" });
    },
  });
  return { origin: server.url.origin, turnsOf, [Symbol.dispose]: () => void server.stop(true) };
}

const wrk = findWrk();
const generators: [string, (plan: LoadPlan) => ReturnType<typeof playWithProcesses>][] = [
  ["processes of our own", playWithProcesses],
  ...(wrk === null
    ? []
    : [["wrk", (plan: LoadPlan) => playWithWrk(wrk, plan)] satisfies (typeof generators)[number]]),
];

describe.each(generators)("a load by %s", (_, play) => {
  const say = (origin: string, input: string) => plannedPost(origin, "/chat", {}, { botId: "shop", input });

  test("goes on with conversations until they have their turns, and counts each answer", async () => {
    using server = chatServer();
    const { origin, turnsOf } = server;
    const requests = [say(origin, "where is it?"), say(origin, "für mich")];
    const result = await play({ origin, requests, callers: 4, seconds: 1, turns: 3 });
    const turns = [...turnsOf.values()];
    const sent = turns.reduce((sum, count) => sum + count, 0);
    expect(Math.max(...turns)).toBe(3);
    expect(turns.filter((count) => count === 3).length).toBeGreaterThan(turns.length - 10);
    expect(result.requests).toBeGreaterThan(10);
    // What is in flight at the end is not counted.
    expect(sent - result.requests).toBeWithin(0, 9);
    expect(result.p50Ms).toBeLessThanOrEqual(result.p99Ms);
  });

  test("fails where an answer has another status than the plan's", async () => {
    using server = chatServer();
    const { origin } = server;
    const blank = { origin, requests: [say(origin, " ")], callers: 2, seconds: 1 };
    await expect(play(blank)).rejects.toThrow(/400|status/);
    expect((await play({ ...blank, expectedStatus: 400 })).requests).toBeGreaterThan(10);
  });

  test("pauses before requests, and leaves the pause out of what they took", async () => {
    using server = chatServer();
    const { origin } = server;
    const plan = { origin, requests: [plannedGet(origin, "/")], callers: 4, seconds: 2, pauseMs: 1000 };
    const { requests, p50Ms } = await play(plan);
    expect(requests).toBeWithin(1, 60);
    // Half of the pause: half of the answers to a GET on this machine take less, however slow it is.
    expect(p50Ms).toBeLessThan(500);
  });
});
