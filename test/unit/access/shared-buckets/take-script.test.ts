import { afterAll, beforeAll, describe, expect, test } from "bun:test";

import * as fc from "fast-check";

import {
  readTaken,
  TAKE_SCRIPT,
  takeArguments,
} from "../../../../src/access/shared-buckets/bucket-connection.ts";
import { TokenBuckets } from "../../../../src/access/token-bucket.ts";
import type { RateLimit } from "../../../../src/domain/bot.ts";
import { findRedisServer, TestRedis } from "../../../support/redis-server.ts";

const START_MS = 1_700_000_000_000;

/**
 * Plays traffic to the very script, inside of the server's own Lua: `redis` is replaced by a store in memory, whose clock the test moves and
 * which forgets what has expired by that clock. `played` lists an instant, the units that a bucket may owe, and the refill of each take.
 */
const PLAY = `
local now, kept = 0, {}
local fake = {}
function fake.call(name, key, value, px, milliseconds)
  if name == 'TIME' then return { tostring(math.floor(now / 1000)), tostring((now % 1000) * 1000 + 999) } end
  if name == 'GET' then
    local entry = kept[key]
    return entry and now <= entry.expires and entry.value or false
  end
  if name ~= 'SET' or px ~= 'PX' or milliseconds < 1 or milliseconds % 1 ~= 0 then error('unexpected ' .. name) end
  kept[key] = { value = value, expires = now + milliseconds }
end
local function take(redis, KEYS, ARGV) ${TAKE_SCRIPT} end
local replies = {}
for i = 2, #ARGV, 3 do
  now = tonumber(ARGV[i])
  local reply = take(fake, { 'bucket' }, { ARGV[1], ARGV[i + 1], ARGV[i + 2] })
  replies[#replies + 1] = { reply[1], reply[2], kept.bucket.expires - now }
end
return replies`;

interface Take {
  atMs: number;
  limit: RateLimit;
}

let redis: TestRedis;
let client: Bun.RedisClient;
const hasServer = findRedisServer() !== undefined;
beforeAll(async () => {
  if (!hasServer) return;
  redis = await TestRedis.start();
  client = new Bun.RedisClient(redis.url);
});
afterAll(async () => {
  if (!hasServer) return;
  client.close();
  await redis[Symbol.asyncDispose]();
});

async function playScript(takes: readonly Take[]) {
  const [, , message = ""] = takeArguments("bucket", takes[0]!.limit);
  const args = takes.flatMap(({ atMs, limit }) => [String(atMs), ...takeArguments("bucket", limit).slice(3)]);
  const replies = (await client.send("EVAL", [PLAY, "0", message, ...args])) as number[][];
  return replies.map((reply, index) => ({
    state: readTaken(reply, takes[index]!.limit),
    expiresInMs: reply[2]!,
  }));
}

function playInMemory(takes: readonly Take[]) {
  const clock = { nowMs: takes[0]!.atMs };
  const buckets = new TokenBuckets({ maxCallers: 10, now: () => clock.nowMs, hashKey: [1, 1] });
  return takes.map(({ atMs, limit }) => {
    clock.nowMs = atMs;
    return buckets.take("a", limit);
  });
}

const limits = fc.record({
  capacity: fc.oneof(fc.integer({ min: 1, max: 8 }), fc.constant(1_000_000)),
  perMinute: fc.oneof(
    fc.integer({ min: 1, max: 600 }),
    fc.integer({ min: 1, max: 100_000 }).map((thousandths) => thousandths / 1000),
    fc.constantFrom(0.001, 0.1, 0.29, 7, 1 / 3, 1_000_000),
  ),
});
const gapsMs = (limit: RateLimit) => {
  const intervalMs = Math.ceil(60_000 / limit.perMinute);
  return fc.oneof(
    fc.integer({ min: 0, max: 3 }),
    fc.integer({ min: 0, max: 2 * intervalMs }),
    fc.constantFrom(intervalMs, intervalMs - 1, intervalMs + 1, 12 * intervalMs),
  );
};

function traffic(stepsMs: (limit: RateLimit) => fc.Arbitrary<number>): fc.Arbitrary<Take[]> {
  const ofOneLimit = limits.chain((limit) =>
    fc.array(fc.record({ gapMs: stepsMs(limit), limit: fc.constant(limit) }), {
      minLength: 1,
      maxLength: 40,
    }),
  );
  return fc.array(ofOneLimit, { minLength: 1, maxLength: 3 }).map((parts) => {
    let atMs = START_MS;
    return parts.flat().map(({ gapMs, limit }) => ({ atMs: (atMs += gapMs), limit }));
  });
}

describe.skipIf(!hasServer)("the script of the shared buckets", () => {
  test("says of every message what the bucket in memory says, also when the limit changes", async () => {
    await fc.assert(
      fc.asyncProperty(traffic(gapsMs), async (takes) => {
        const played = await playScript(takes);
        expect(played.map(({ state }) => state)).toEqual(playInMemory(takes));
      }),
      { numRuns: 300 },
    );
  });

  test("forgets a bucket when it is full, and not before", async () => {
    await fc.assert(
      fc.asyncProperty(traffic(gapsMs), async (takes) => {
        for (const { state, expiresInMs } of await playScript(takes))
          expect(expiresInMs).toBe(state.fullInMs);
      }),
    );
  });

  test("under a clock that is set back mints no message and locks nobody out, as in memory", async () => {
    const steps = (limit: RateLimit) => fc.oneof(gapsMs(limit), fc.integer({ min: -1000, max: 0 }));
    await fc.assert(
      fc.asyncProperty(traffic(steps), async (takes) => {
        const played = await playScript(takes);
        expect(played.map(({ state }) => state.allowed)).toEqual(
          playInMemory(takes).map(({ allowed }) => allowed),
        );
      }),
      { numRuns: 300 },
    );
    const limit = { capacity: 1, perMinute: 20 };
    const hourBack = [0, -3_600_000, -3_597_001, -3_597_000].map((ms) => ({ atMs: START_MS + ms, limit }));
    const allowed = (await playScript(hourBack)).map(({ state }) => state.allowed);
    expect(allowed).toEqual([true, false, false, true]);
  });

  test("takes a value that is no bucket of it for a full one", async () => {
    await redis.send(["SET", "parley:odd", "12 34 56"]);
    const limit = { capacity: 3, perMinute: 20 };
    const reply = await client.send("EVAL", [TAKE_SCRIPT, ...takeArguments("parley:odd", limit)]);
    expect(readTaken(reply, limit)).toMatchObject({ allowed: true, remaining: 2 });
  });
});

test.each([[null], ["OK"], [[]], [[1]], [["1", "2"]]])("a reply of %p is not taken for one", (reply) => {
  expect(() => readTaken(reply, { capacity: 1, perMinute: 1 })).toThrow("something else");
});
