import { expect, test } from "bun:test";

import { RegistryFollower } from "../../../src/bots/registry-follower.ts";

/** A follower of a registry that changes when the test says so, and what the follower did about it. */
function followRegistry(load: () => Promise<void>, onError: (fields: unknown) => void = () => {}) {
  const seen = { tokensForgotten: 0, botsReloaded: 0, loads: 0 };
  let hasChanged = false;
  const follower = new RegistryFollower({
    log: { info: () => {}, error: onError },
    watch: {
      everyMs: 1,
      async poll() {
        const answer = hasChanged;
        hasChanged = false;
        return answer;
      },
    },
    health: { failure: undefined, noticeFailure: () => {} },
    embedTokens: { clear: () => void seen.tokensForgotten++ },
    bots: {
      size: 1,
      async reload() {
        seen.botsReloaded++;
        return [];
      },
    },
    load() {
      seen.loads++;
      return load();
    },
  });
  const change = () => void (hasChanged = true);
  return { follower, seen, change };
}

test("nothing is loaded while nothing changes", async () => {
  const { follower, seen } = followRegistry(async () => {});
  await follower.look();
  expect(seen).toEqual({ tokensForgotten: 0, botsReloaded: 0, loads: 0 });
});

test("a change while bots are being trained is taken over at once, and loaded afterwards", async () => {
  const trained = Promise.withResolvers<void>();
  const { follower, seen, change } = followRegistry(() => trained.promise);
  change();
  const training = follower.look();
  while (seen.loads === 0) await Bun.sleep(0);
  change();
  await follower.look();
  expect(seen).toEqual({ tokensForgotten: 2, botsReloaded: 1, loads: 1 });
  trained.resolve();
  await training;
  await follower.look();
  expect(seen).toMatchObject({ loads: 2 });
});

test("a load that goes on failing for one cause is told of once, and again when it fails anew", async () => {
  const outcomes = ["locked", "locked", undefined, "locked", "full"];
  const told: unknown[] = [];
  const { follower, change } = followRegistry(
    async () => {
      const fault = outcomes.shift();
      if (fault !== undefined) throw new Error(fault);
    },
    (fields) => void told.push((fields as { err: Error }).err.message),
  );
  for (let looks = 0; looks < 5; looks++) {
    change();
    await follower.look();
  }
  expect(told).toEqual(["locked", "locked", "full"]);
});

test("a load that fails is tried again until one succeeds", async () => {
  let failures = 2;
  const { follower, seen, change } = followRegistry(async () => {
    if (failures-- > 0) throw new Error("locked");
  });
  change();
  for (let looks = 0; looks < 4; looks++) await follower.look();
  expect(seen.loads).toBe(3);
});
