import { expect, test } from "bun:test";

import pino from "pino";

import { followRegistry } from "../../../src/bots/follow-registry.ts";

async function until(holds: () => boolean): Promise<void> {
  while (!holds()) await Bun.sleep(10);
}

function registry() {
  const seen = { changes: 0, tokensForgotten: 0, botsReloaded: 0, loads: 0 };
  const parts = {
    log: pino({ level: "silent" }),
    config: undefined as never,
    store: undefined as never,
    embedTokens: { clear: () => void (seen.tokensForgotten += 1) } as never,
    bots: {
      size: 1,
      reload: () => {
        seen.botsReloaded += 1;
        return [];
      },
    } as never,
  };
  const watch = {
    poll: () => {
      const hasChanged = seen.changes > 0;
      seen.changes = 0;
      return hasChanged;
    },
  };
  return { seen, parts, watch };
}

test("a token that is revoked while bots are being trained is forgotten at once", async () => {
  const { seen, parts, watch } = registry();
  const trained = Promise.withResolvers<void>();
  const stop = followRegistry(parts, watch, () => {
    seen.loads += 1;
    return trained.promise;
  });
  seen.changes = 1;
  await until(() => seen.loads === 1);
  seen.changes = 1;
  await until(() => seen.tokensForgotten === 2);
  expect(seen).toMatchObject({ botsReloaded: 1, loads: 1 });
  trained.resolve();
  await until(() => seen.loads === 2);
  stop();
});

test("a reload that fails is tried again", async () => {
  const { seen, parts, watch } = registry();
  const stop = followRegistry(parts, watch, async () => {
    seen.loads += 1;
    if (seen.loads < 3) throw new Error("locked");
  });
  seen.changes = 1;
  await until(() => seen.loads === 3);
  stop();
});
