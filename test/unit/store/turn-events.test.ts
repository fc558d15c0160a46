import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import type { CountedEvent } from "../../../src/domain/delivery.ts";
import {
  type ConversationId,
  newDeliveryId,
  type RequestId,
  secureRandomBytes,
} from "../../../src/domain/ids.ts";
import type { BotKey } from "../../../src/store/interface/bots.ts";
import { shopBot } from "../../support/bots.ts";
import { openTestStore, type TestStore } from "../../support/store-under-test.ts";
import { turnWith } from "../../support/turns.ts";

const AT = Date.UTC(2026, 10, 30, 12);

describe("what is told behind the messages", () => {
  let folder: string;
  let opened: TestStore;
  let bot: BotKey;
  let ids: string[];
  beforeEach(async () => {
    folder = mkdtempSync(join(tmpdir(), "parley-test-"));
    opened = await openTestStore(folder, () => AT);
    const { store } = opened;
    await store.bots.seed([shopBot({ monthlyMessageCap: 1 })], { prune: false, dryRun: false });
    bot = (await store.bots.find("shop"))!.key;
    await store.outbox.startReporting([{ target: "crm", event: "turn.refused" }], AT);
    ids = [];
  });
  afterEach(async () => {
    await opened.store[Symbol.asyncDispose]();
    await opened.drop();
    rmSync(folder, { recursive: true });
  });

  const count = (event: CountedEvent) =>
    opened.store.analytics.countTurns(10, {
      recipientsOf: (_, asked) => {
        if (asked !== event) return [];
        const id = ids.shift() ?? newDeliveryId(AT, secureRandomBytes);
        return [
          { id: id as ReturnType<typeof newDeliveryId>, channel: "webhook" as const, target: "crm", event },
        ];
      },
      now: () => AT,
      mostOfTurns: 100,
    });

  function refuse(name: string) {
    const turn = turnWith({ requestId: name as RequestId, at: AT });
    const metadata = { ...turn.metadata, capabilityAllowed: false, enforcementReason: "DENY_LIST" as const };
    return opened.store.recordTurn({
      bot,
      conversationId: "cv_1" as ConversationId,
      turn: { ...turn, metadata },
    });
  }

  test.each<[CountedEvent, string]>([
    ["turn.refused", "rq_2"],
    ["cap.near", "2026-11/1"],
  ])(
    "%s: a row that clashes with another's key is an error, and told once that is mended",
    async (event, subject) => {
      const { store } = opened;
      await refuse("rq_1");
      ids = ["dl_taken"];
      await count("turn.refused");
      await refuse("rq_2");
      ids = ["dl_taken"];
      await expect(count(event)).rejects.toThrow();
      expect((await store.outbox.list({ limit: 9 })).length).toBe(1);
      await count(event);
      const [latest, ...others] = await store.outbox.list({ limit: 9, event });
      expect([latest, ...others].map((delivery) => delivery?.subject)).toContain(subject);
      await count(event);
      expect((await store.outbox.list({ limit: 9, event })).length).toBe(1 + others.length);
    },
  );
});
