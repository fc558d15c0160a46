import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import type { ConversationId } from "../../../src/domain/ids.ts";
import { newDeliveryId, newHandoffId, secureRandomBytes } from "../../../src/domain/ids.ts";
import type { Store } from "../../../src/store/interface/store.ts";
import { shopBot } from "../../support/bots.ts";
import { openTestStore, type TestStore } from "../../support/store-under-test.ts";

const NOON = Date.UTC(2026, 10, 23, 12);
const LEASE_MS = 120_000;

let folder: string;
let opened: TestStore;
let store: Store;
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), "parley-test-"));
  opened = await openTestStore(folder, () => NOON);
  ({ store } = opened);
  await store.bots.seed([shopBot()], { prune: false, dryRun: false });
  await store.handoffs.open({
    id: newHandoffId(NOON, secureRandomBytes),
    bot: (await store.bots.find("shop"))!.key,
    conversationId: "cv_1" as ConversationId,
    fields: {},
    sharesTranscript: false,
    at: NOON,
    deliveries: [
      {
        id: newDeliveryId(NOON, secureRandomBytes),
        channel: "webhook",
        target: "crm",
        event: "handoff.requested",
      },
    ],
  });
});
afterEach(async () => {
  await store[Symbol.asyncDispose]();
  await opened.drop();
  rmSync(folder, { recursive: true });
});

async function claim(now: number) {
  const [taken] = await store.outbox.claim({ event: "handoff.requested", now, leaseMs: LEASE_MS, limit: 1 });
  return taken!;
}

const stored = async () => (await store.outbox.list({ limit: 1 }))[0]!;

describe("what came of a try", () => {
  test("is kept while its lease lasts", async () => {
    const tried = await claim(NOON);
    await store.outbox.settle(tried, { state: "delivered", at: NOON + 1 });
    expect(await stored()).toMatchObject({ state: "delivered", endedAt: NOON + 1, attempts: 1 });
  });

  test("changes nothing once another server tries the same", async () => {
    const late = await claim(NOON);
    const next = await claim(NOON + LEASE_MS);
    await store.outbox.settle(late, { state: "given-up", at: NOON + LEASE_MS + 1, error: "timed out" });
    expect(await stored()).toMatchObject({ state: "waiting", attempts: 2, nextAt: NOON + 2 * LEASE_MS });
    await store.outbox.settle(next, { state: "delivered", at: NOON + LEASE_MS + 2 });
    await store.outbox.settle(late, { state: "waiting", at: NOON, nextAt: NOON + 3 * LEASE_MS });
    expect(await stored()).toMatchObject({ state: "delivered", attempts: 2 });
  });

  test("changes nothing once an operator has it sent again", async () => {
    const tried = await claim(NOON);
    await store.outbox.resend(tried.id, NOON + 1);
    await store.outbox.settle(tried, { state: "given-up", at: NOON + 2, error: "refused" });
    expect(await stored()).toMatchObject({ state: "waiting", nextAt: NOON + 1 });
    expect((await claim(NOON + 2)).id).toBe(tried.id);
  });
});
