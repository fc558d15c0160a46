import { describe, expect, test } from "bun:test";

import { SharedBuckets } from "../../../../src/access/shared-buckets/bucket-server.ts";
import { TokenBuckets } from "../../../../src/access/token-bucket.ts";
import type { RateLimit } from "../../../../src/domain/bot.ts";

const LIMIT: RateLimit = { capacity: 3, perMinute: 1 };

/** Shared buckets whose server is another limiter in memory, which can be taken away. */
function sharedBuckets() {
  const limiter = () => new TokenBuckets({ maxCallers: 100, now: () => 0, hashKey: [1, 1] });
  const [remote, own] = [limiter(), limiter()];
  const names = new Set<string>();
  const server = {
    isUp: true,
    fails: false,
    async take(name: string, limit: RateLimit) {
      names.add(name);
      return server.fails ? undefined : remote.take(name, limit);
    },
  };
  return { buckets: new SharedBuckets({ kind: "caller", server, own }), server, own, names };
}

describe("shared buckets", () => {
  test("are what counts while their server answers", async () => {
    const { buckets, own } = sharedBuckets();
    for (const remaining of [2, 1, 0]) {
      expect(await buckets.take("a", LIMIT)).toMatchObject({ allowed: true, remaining });
    }
    own.take("a", { capacity: 10, perMinute: 1 });
    expect(await buckets.take("a", LIMIT)).toMatchObject({ allowed: false, retryAfterMs: 60_000 });
  });

  test.each(["fails while it is asked", "is known to be down"])(
    "give way to the process's own when the server %s, which know what was let through",
    async (how) => {
      const { buckets, server } = sharedBuckets();
      await buckets.take("a", LIMIT);
      await buckets.take("a", LIMIT);
      if (how === "is known to be down") server.isUp = false;
      else server.fails = true;
      expect(await buckets.take("a", LIMIT)).toMatchObject({ allowed: true, remaining: 0 });
      expect((await buckets.take("a", LIMIT)).allowed).toBe(false);
      expect((await buckets.take("b", LIMIT)).allowed).toBe(true);
    },
  );

  test("are not asked for while the server is known to be down", async () => {
    const { buckets, server, names } = sharedBuckets();
    server.isUp = false;
    expect(buckets.take("a", LIMIT)).toMatchObject({ allowed: true });
    expect(names.size).toBe(0);
  });

  test.each([
    "",
    "203.0.113.7",
    "x".repeat(5_000_000),
    "\0\r\n*1\r\n$8\r\nFLUSHALL\r\n",
    "\u{d800}",
    "ключ {tag}",
  ])("name a bucket by 43 letters and digits, whatever the caller is called (%#)", async (callerKey) => {
    const { buckets, names } = sharedBuckets();
    await buckets.take(callerKey, LIMIT);
    expect([...names][0]).toMatch(/^parley:caller:[\w-]{43}$/);
  });
});
