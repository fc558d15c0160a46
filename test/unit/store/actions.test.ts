import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import type { ConversationId } from "../../../src/domain/ids.ts";
import { MOST_FAILED_PROOFS, PROOF_WINDOW_MS } from "../../../src/store/interface/actions.ts";
import type { Store } from "../../../src/store/interface/store.ts";
import { openTestStore, type TestStore } from "../../support/store-under-test.ts";

const NOW = Date.UTC(2026, 10, 23, 12);
const HASH = new Uint8Array([1, 2, 3]);

let folder: string;
let opened: TestStore;
let another: Store;
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), "parley-actions-"));
  opened = await openTestStore(folder, () => NOW);
  another = await opened.openAnother();
});
afterEach(async () => {
  await another[Symbol.asyncDispose]();
  await opened.store[Symbol.asyncDispose]();
  await opened.drop();
  rmSync(folder, { recursive: true, force: true });
});

describe("an action that was asked to be confirmed", () => {
  const action = { id: "ac_1", hash: HASH, at: NOW };

  test("is claimed once, whichever server claims it", async () => {
    await opened.store.actions.ask(action);
    const claims = [opened.store, another, opened.store, another].map((store) =>
      store.actions.claim(action, NOW),
    );
    const outcomes = await Promise.all(claims);
    expect(outcomes.toSorted()).toEqual(["begun", "begun", "begun", "claimed"]);
    await opened.store.actions.end("ac_1", "done");
    expect(await another.actions.claim(action, NOW)).toBe("begun");
  });

  test("is void where it is another action, too old, or none", async () => {
    await opened.store.actions.ask(action);
    const { actions } = another;
    expect(await actions.claim({ ...action, hash: new Uint8Array([9]) }, NOW)).toBe("void");
    expect(await actions.claim(action, NOW + 1)).toBe("void");
    expect(await actions.claim({ ...action, id: "ac_2" }, NOW)).toBe("void");
    expect(await actions.claim(action, NOW)).toBe("claimed");
  });
});

describe("a proof", () => {
  const tries = (count: number, of: (index: number) => { conversation: string; caller: number }) =>
    Promise.all(
      Array.from({ length: count }, (_, index) => {
        const { conversation, caller } = of(index);
        const store = index % 2 === 0 ? opened.store : another;
        return store.actions.reserveProof({
          id: `ac_${index}`,
          conversation: conversation as ConversationId,
          caller: new Uint8Array([caller]),
          at: NOW,
        });
      }),
    );
  const granted = (outcomes: boolean[]) => outcomes.filter(Boolean).length;

  test("is tried so often in a conversation, and no oftener, by two servers at once", async () => {
    expect(granted(await tries(12, (index) => ({ conversation: "cv_1", caller: index })))).toBe(
      MOST_FAILED_PROOFS.conversation,
    );
  });

  test("is tried so often by a caller, however many conversations they begin", async () => {
    expect(granted(await tries(30, (index) => ({ conversation: `cv_${index}`, caller: 1 })))).toBe(
      MOST_FAILED_PROOFS.caller,
    );
  });

  test("that was right counts no more, and one that failed for an hour", async () => {
    await tries(MOST_FAILED_PROOFS.conversation, () => ({ conversation: "cv_1", caller: 1 }));
    const { actions } = opened.store;
    const next = {
      id: "ac_next",
      conversation: "cv_1" as ConversationId,
      caller: new Uint8Array([1]),
      at: NOW,
    };
    expect(await actions.reserveProof(next)).toBe(false);
    await actions.releaseProof("ac_0");
    expect(await actions.reserveProof(next)).toBe(true);
    expect(await actions.reserveProof({ ...next, id: "ac_later", at: NOW + PROOF_WINDOW_MS })).toBe(true);
  });

  test("that is tried again by the same action, as after a kill, counts once", async () => {
    const proof = {
      id: "ac_1",
      conversation: "cv_1" as ConversationId,
      caller: new Uint8Array([1]),
      at: NOW,
    };
    expect(await opened.store.actions.reserveProof(proof)).toBe(true);
    expect(await another.actions.reserveProof(proof)).toBe(true);
    expect(await opened.runSql("SELECT id FROM failed_proofs")).toHaveLength(1);
  });

  test("is forgotten when it counts no more", async () => {
    await tries(2, () => ({ conversation: "cv_1", caller: 1 }));
    await opened.store.deleteExpired(NOW + PROOF_WINDOW_MS, 0);
    expect(await opened.runSql("SELECT id FROM failed_proofs")).toEqual([]);
  });
});
