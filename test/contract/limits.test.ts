import { describe, expect, test } from "bun:test";

import fc from "fast-check";

import { newEmbedToken } from "../../src/access/secrets.ts";
import { secureRandomBytes } from "../../src/domain/ids.ts";
import { shopBot } from "../support/bots.ts";
import { startParley } from "../support/parley.ts";

const MESSAGE = { botId: "shop", input: "where is my order" };

/** A clock that stands still until it is moved. */
function handClock(startMs = Date.UTC(2026, 10, 21, 12)) {
  const clock = { nowMs: startMs };
  return { clock, parts: { now: () => clock.nowMs } };
}

describe("the token bucket", () => {
  test("admits its capacity at once, then refuses with Retry-After, then refills", async () => {
    const { clock, parts } = handClock();
    await using parley = await startParley({
      flags: { rateLimitCapacity: "3", rateLimitPerMinute: "20" },
      parts,
    });
    const first = await parley.chat(MESSAGE);
    expect(first.headers.get("ratelimit-policy")).toBe('"caller";q=3;w=9');
    expect(first.headers.get("ratelimit")).toBe('"caller";r=2;t=3');
    await parley.chat(MESSAGE);
    await parley.chat(MESSAGE);
    const refused = await parley.chat(MESSAGE);
    expect(refused.status).toBe(429);
    expect(await refused.json()).toMatchObject({ code: "RATE_LIMITED" });
    expect(refused.headers.get("retry-after")).toBe("3");
    expect(refused.headers.get("ratelimit")).toBe('"caller";r=0;t=3');
    clock.nowMs += 2999;
    expect((await parley.chat(MESSAGE)).status).toBe(429);
    clock.nowMs += 1;
    expect((await parley.chat(MESSAGE)).status).toBe(200);
  });

  test("goes by the bot's own limit", async () => {
    const { parts } = handClock();
    const bots = [shopBot({ rateLimit: { capacity: 1, perMinute: 1 } })];
    await using parley = await startParley({ bots, parts });
    expect((await parley.chat(MESSAGE)).status).toBe(200);
    const refused = await parley.chat(MESSAGE);
    expect([refused.status, refused.headers.get("retry-after")]).toEqual([429, "60"]);
  });

  test("is each caller's own: another token, another address behind the proxy", async () => {
    const { parts } = handClock();
    const flags = { rateLimitCapacity: "1", trustProxy: "127.0.0.1" };
    await using parley = await startParley({ flags, parts });
    const from = (address: string) => ({ headers: { "X-Forwarded-For": address } });
    expect((await parley.chat(MESSAGE, from("203.0.113.1"))).status).toBe(200);
    expect((await parley.chat(MESSAGE, from("203.0.113.1"))).status).toBe(429);
    expect((await parley.chat(MESSAGE, from("203.0.113.2"))).status).toBe(200);
    const token = await parley.issueToken(["shop"]);
    expect((await parley.chat(MESSAGE, { token, ...from("203.0.113.1") })).status).toBe(200);
    expect((await parley.chat(MESSAGE, from("2001:db8:1:2::1"))).status).toBe(200);
    expect((await parley.chat(MESSAGE, from("2001:db8:1:2:ffff::9"))).status).toBe(429);
    expect((await parley.chat(MESSAGE, from("2001:db8:1:2::1.2.3.4"))).status).toBe(429);
  });

  test("believes no X-Forwarded-For of a peer that is not trusted", async () => {
    const { parts } = handClock();
    await using parley = await startParley({ flags: { rateLimitCapacity: "1" }, parts });
    await parley.chat(MESSAGE, { headers: { "X-Forwarded-For": "203.0.113.1" } });
    const second = await parley.chat(MESSAGE, { headers: { "X-Forwarded-For": "203.0.113.2" } });
    expect(second.status).toBe(429);
  });

  test("marks every answer after check 3, errors too, and none before", async () => {
    await using parley = await startParley();
    for (const body of ["not json", { botId: "nobody", input: "hi" }, "x".repeat(70_000)]) {
      expect((await parley.chat(body)).headers.get("ratelimit")).toStartWith('"caller";r=');
    }
    expect((await parley.chat(MESSAGE, { token: null })).headers.get("ratelimit")).toBeNull();
  });
});

describe("too many failed authentications from an address", () => {
  const unknownToken = () => newEmbedToken(secureRandomBytes);

  test("are 429 with Retry-After, and 401 again after it", async () => {
    const { clock, parts } = handClock();
    await using parley = await startParley({ parts });
    const statuses: number[] = [];
    for (let i = 0; i < 40; i += 1) {
      statuses.push((await parley.chat(MESSAGE, { token: i % 2 ? null : unknownToken() })).status);
    }
    expect(statuses.slice(0, 30)).toEqual(Array.from({ length: 30 }, () => 401));
    expect(statuses.slice(30)).toEqual(Array.from({ length: 10 }, () => 429));
    const refused = await parley.chat(MESSAGE, { token: unknownToken() });
    expect(await refused.json()).toMatchObject({ code: "RATE_LIMITED" });
    clock.nowMs += Number(refused.headers.get("retry-after")) * 1000;
    expect((await parley.chat(MESSAGE, { token: unknownToken() })).status).toBe(401);
  });

  test("never lock out a valid token, and a revoked or expired one counts as a failure", async () => {
    const { clock, parts } = handClock();
    await using parley = await startParley({ parts });
    const expired = await parley.issueToken(["shop"], clock.nowMs - 1);
    for (let i = 0; i < 30; i += 1) await parley.chat(MESSAGE, { token: expired });
    expect((await parley.chat(MESSAGE, { token: expired })).status).toBe(429);
    expect((await parley.chat(MESSAGE, { token: null })).status).toBe(429);
    expect((await parley.chat(MESSAGE)).status).toBe(200);
    // One that this server has not seen before, too.
    expect((await parley.chat(MESSAGE, { token: await parley.issueToken(["shop"]) })).status).toBe(200);
  });
});

describe("the monthly cap", () => {
  test("refuses with Retry-After to the next month, and opens again then", async () => {
    const { clock, parts } = handClock(Date.UTC(2026, 11, 31, 23, 59, 50));
    await using parley = await startParley({ bots: [shopBot({ monthlyMessageCap: 2 })], parts });
    expect((await parley.chat(MESSAGE)).status).toBe(200);
    expect((await parley.chat({ botId: "shop", input: "delete my account" })).status).toBe(200);
    const refused = await parley.chat(MESSAGE);
    expect(refused.status).toBe(429);
    expect(await refused.json()).toMatchObject({ code: "MESSAGE_CAP_EXCEEDED" });
    expect(refused.headers.get("retry-after")).toBe("10");
    clock.nowMs += 10_000;
    expect((await parley.chat(MESSAGE)).status).toBe(200);
  });

  test("of zero refuses everything", async () => {
    await using parley = await startParley({ bots: [shopBot({ monthlyMessageCap: 0 })] });
    expect((await parley.chat(MESSAGE)).status).toBe(429);
  });

  test("counts no message that was refused before", async () => {
    await using parley = await startParley({
      bots: [shopBot({ monthlyMessageCap: 1, allowedDomains: ["a.example"] })],
    });
    const headers = { Origin: "https://a.example" };
    await parley.chat(MESSAGE);
    await parley.chat({ botId: "shop", input: " " }, { headers });
    expect((await parley.chat(MESSAGE, { headers })).status).toBe(200);
    expect((await parley.chat(MESSAGE, { headers })).status).toBe(429);
  });

  test("is exact for any cap and any number of messages at once", async () => {
    await fc.assert(
      fc.asyncProperty(fc.nat(12), fc.integer({ min: 1, max: 40 }), async (cap, messages) => {
        await using parley = await startParley({ bots: [shopBot({ monthlyMessageCap: cap })] });
        const answers = await Promise.all(Array.from({ length: messages }, () => parley.chat(MESSAGE)));
        const accepted = answers.filter((answer) => answer.status === 200).length;
        expect(accepted).toBe(Math.min(cap, messages));
        expect(await parley.store.usage.read((await parley.store.bots.find("shop"))!.key, Date.now())).toBe(
          accepted,
        );
      }),
      { numRuns: 12 },
    );
  });
});
