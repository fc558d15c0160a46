import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import type { ConversationId } from "../../../src/domain/ids.ts";
import {
  MAX_TRY_MS,
  MAX_FAILED_PROOFS,
  PROOF_WINDOW_MS,
  type ProofOutcome,
  type ProofTry,
} from "../../../src/store/interface/actions.ts";
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

  test("whose call was not made may be claimed again, by any server", async () => {
    await opened.store.actions.ask(action);
    expect(await opened.store.actions.claim(action, NOW)).toBe("claimed");
    await opened.store.actions.unclaim("ac_1");
    expect(await another.actions.claim(action, NOW)).toBe("claimed");
    await another.actions.end("ac_1", "done");
    await opened.store.actions.unclaim("ac_1");
    expect(await opened.store.actions.claim(action, NOW)).toBe("begun");
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
  const tryOf = (fields: { id: string; conversation?: string; caller?: number; at?: number }): ProofTry => ({
    id: fields.id,
    conversation: (fields.conversation ?? "cv_1") as ConversationId,
    caller: new Uint8Array([fields.caller ?? 1]),
    at: fields.at ?? NOW,
  });
  const storeOf = (index: number) => (index % 2 === 0 ? opened.store : another);
  const tries = (count: number, of: (index: number) => { conversation?: string; caller?: number }) =>
    Promise.all(
      Array.from({ length: count }, (_, index) =>
        storeOf(index).actions.reserveProof(tryOf({ id: `ac_${index}`, ...of(index) })),
      ),
    );
  const count = (outcomes: ProofOutcome[], outcome: ProofOutcome) =>
    outcomes.filter((one) => one === outcome).length;
  const fail = async (most: number) => {
    for (let index = 0; index < most; index += 1) await storeOf(index).actions.failProof(`ac_${index}`);
  };

  test.each<[what: string, most: number, of: Parameters<typeof tries>[1]]>([
    ["in a conversation", MAX_FAILED_PROOFS.conversation, (index) => ({ caller: index })],
    ["by a caller", MAX_FAILED_PROOFS.caller, (index) => ({ conversation: `cv_${index}` })],
  ])("is tried so often at a time %s, and no oftener, by two servers at once", async (_, most, of) => {
    const outcomes = await tries(most + 10, of);
    expect(count(outcomes, "reserved")).toBe(most);
    expect(count(outcomes, "busy")).toBe(10);
  });

  test.each<[what: string, most: number, of: Parameters<typeof tries>[1]]>([
    ["in a conversation", MAX_FAILED_PROOFS.conversation, (index) => ({ caller: index })],
    ["by a caller", MAX_FAILED_PROOFS.caller, (index) => ({ conversation: `cv_${index}` })],
  ])("fails so often %s, until an hour has passed", async (_, most, of) => {
    for (let index = 0; index < most; index += 1) {
      const proof = tryOf({ id: `ac_${index}`, ...of(index) });
      expect(await storeOf(index).actions.reserveProof(proof)).toBe("reserved");
      await storeOf(index).actions.failProof(proof.id);
    }
    const next = tryOf({ id: "ac_next", ...of(most) });
    expect(await opened.store.actions.reserveProof(next)).toBe("too-many");
    expect(await another.actions.reserveProof({ ...next, at: NOW + PROOF_WINDOW_MS - 1 })).toBe("too-many");
    expect(await another.actions.reserveProof({ ...next, at: NOW + PROOF_WINDOW_MS })).toBe("reserved");
  });

  test("waits for those that are tried, and counts with those that failed", async () => {
    await tries(MAX_FAILED_PROOFS.conversation, () => ({}));
    const { actions } = opened.store;
    expect(await actions.reserveProof(tryOf({ id: "ac_next" }))).toBe("busy");
    await fail(MAX_FAILED_PROOFS.conversation - 1);
    expect(await actions.reserveProof(tryOf({ id: "ac_next" }))).toBe("busy");
    await actions.releaseProof(`ac_${MAX_FAILED_PROOFS.conversation - 1}`);
    expect(await actions.reserveProof(tryOf({ id: "ac_next" }))).toBe("reserved");
    await another.actions.failProof("ac_next");
    expect(await actions.reserveProof(tryOf({ id: "ac_last" }))).toBe("too-many");
  });

  test("whose server was killed while it was tried counts no longer than a call takes", async () => {
    await tries(MAX_FAILED_PROOFS.conversation, () => ({}));
    const { actions } = another;
    expect(await actions.reserveProof(tryOf({ id: "ac_next", at: NOW + MAX_TRY_MS - 1 }))).toBe("busy");
    expect(await actions.reserveProof(tryOf({ id: "ac_next", at: NOW + MAX_TRY_MS }))).toBe("reserved");
  });

  test("that fails late has failed all the same", async () => {
    await tries(MAX_FAILED_PROOFS.conversation, () => ({}));
    await fail(MAX_FAILED_PROOFS.conversation);
    const late = tryOf({ id: "ac_next", at: NOW + MAX_TRY_MS });
    expect(await another.actions.reserveProof(late)).toBe("too-many");
  });

  test("that is tried again by the same action, as after a kill, counts once", async () => {
    const proof = tryOf({ id: "ac_1" });
    expect(await opened.store.actions.reserveProof(proof)).toBe("reserved");
    expect(await another.actions.reserveProof(proof)).toBe("reserved");
    expect(await opened.runSql("SELECT id FROM failed_proofs")).toHaveLength(1);
  });

  test("is forgotten when it counts no more", async () => {
    await tries(2, () => ({}));
    await opened.store.deleteExpired(NOW + PROOF_WINDOW_MS, 0);
    expect(await opened.runSql("SELECT id FROM failed_proofs")).toEqual([]);
  });
});
