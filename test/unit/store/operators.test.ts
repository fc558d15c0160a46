import { afterEach, beforeEach, describe, expect, test } from "bun:test";

import { runAs } from "../../../src/store/changes/current-actor.ts";
import { SESSION_IDLE_MS, SESSION_LONGEST_MS } from "../../../src/store/interface/operators.ts";
import type { Store } from "../../../src/store/interface/store.ts";
import { openTestStore } from "../../support/store-under-test.ts";

const HOUR_MS = 3600_000;
const clock = { nowMs: 1_000_000 };
const LINK = new Uint8Array(32).fill(1);
const SESSION = new Uint8Array(32).fill(2);
const OTHER_SESSION = new Uint8Array(32).fill(3);
let store: Store;

beforeEach(async () => {
  clock.nowMs = 1_000_000;
  ({ store } = await openTestStore(":memory:", () => clock.nowMs));
  await store.operators.add({ name: "Ann", role: "owner" });
  await store.operators.add({ name: "bob", role: "viewer" });
});
afterEach(() => store[Symbol.asyncDispose]());

const kinds = async () =>
  (await store.changes.list({ limit: 50 })).map(({ kind, subject }) => `${kind} ${subject}`);
const signInByLink = async (name: string, session = SESSION) => {
  await store.operators.issueLink(name, { hash: LINK, expiresAt: clock.nowMs + 1000 });
  return store.operatorSessions.openByLink(LINK, session);
};

describe("operators", () => {
  test("are listed by name, and found whatever the case", async () => {
    expect((await store.operators.list()).map(({ name, role }) => [name, role])).toEqual([
      ["Ann", "owner"],
      ["bob", "viewer"],
    ]);
    expect(await store.operators.find("ANN")).toMatchObject({ name: "Ann", createdAt: 1_000_000 });
    expect(await store.operators.find("carl")).toBeUndefined();
    expect(await store.operators.isAny()).toBe(true);
  });

  test("have names of their own, whatever the case", async () => {
    expect(await store.operators.add({ name: "BOB", role: "owner" })).toBe(false);
    expect((await store.operators.find("bob"))?.role).toBe("viewer");
  });

  test("cannot lose their last owner, unless that is meant", async () => {
    expect(await store.operators.remove("ann")).toBe("last_owner");
    expect(await store.operators.setRole("ann", "editor")).toBe("last_owner");
    await store.operators.setRole("bob", "owner");
    expect(await store.operators.setRole("ann", "editor")).toBe("done");
    expect(await store.operators.remove("bob")).toBe("last_owner");
    expect(await store.operators.remove("bob", { force: true })).toBe("done");
    expect(await store.operators.remove("bob")).toBe("unknown");
    expect(await store.operators.setRole("carl", "viewer")).toBe("unknown");
  });

  test("leave a trace of each change, in the name of who made it", async () => {
    await runAs({ kind: "operator", name: "ann", command: "PATCH /x" }, () =>
      store.operators.setRole("bob", "editor"),
    );
    const [latest] = await store.changes.list({ limit: 1 });
    expect(latest).toMatchObject({
      by: { kind: "operator", name: "ann", command: "PATCH /x" },
      kind: "operator.role-changed",
      subject: "bob",
      fields: [{ field: "role", before: "viewer", after: "editor" }],
    });
    await signInByLink("bob");
    await store.operators.setPassword("bob", "$argon2id$x", OTHER_SESSION);
    await store.operators.remove("bob");
    expect(await kinds()).toEqual([
      "operator.removed bob",
      "operator.password-set bob",
      "operator.signed-in bob",
      "operator.link-issued bob",
      "operator.role-changed bob",
      "operator.added bob",
      "operator.added Ann",
    ]);
    expect(JSON.stringify(await store.changes.list({ limit: 50 }))).not.toContain("argon2id");
  });
});

describe("a one-time link", () => {
  test("is good once", async () => {
    expect(await store.operators.issueLink("carl", { hash: LINK, expiresAt: 9_000_000 })).toBe(false);
    await store.operators.issueLink("ann", { hash: LINK, expiresAt: 9_000_000 });
    expect((await store.operators.findByLink(LINK))?.name).toBe("Ann");
    expect(await store.operatorSessions.openByLink(LINK, SESSION)).toBe(true);
    expect(await store.operatorSessions.openByLink(LINK, OTHER_SESSION)).toBe(false);
    expect(await store.operators.findByLink(LINK)).toBeUndefined();
    expect((await store.operatorSessions.find(SESSION))?.operator.name).toBe("Ann");
    expect(await store.operatorSessions.find(OTHER_SESSION)).toBeUndefined();
  });

  test("ends at its instant", async () => {
    await store.operators.issueLink("ann", { hash: LINK, expiresAt: clock.nowMs + 1000 });
    clock.nowMs += 1000;
    expect(await store.operators.findByLink(LINK)).toBeUndefined();
    expect(await store.operatorSessions.openByLink(LINK, SESSION)).toBe(false);
  });

  test("takes the place of an earlier one, and goes with its operator", async () => {
    const second = new Uint8Array(32).fill(9);
    await store.operators.issueLink("bob", { hash: LINK, expiresAt: 9_000_000 });
    await store.operators.issueLink("bob", { hash: second, expiresAt: 9_000_000 });
    expect(await store.operatorSessions.openByLink(LINK, SESSION)).toBe(false);
    await store.operators.remove("bob");
    expect(await store.operatorSessions.openByLink(second, SESSION)).toBe(false);
  });
});

describe("a session", () => {
  test("begins by a password that is still the operator's", async () => {
    await store.operators.setPassword("ann", "first", OTHER_SESSION);
    const before = (await store.operators.find("ann"))!;
    expect(await store.operatorSessions.openByPassword(before, SESSION)).toBe(true);
    await store.operators.setPassword("ann", "second", new Uint8Array(32).fill(7));
    expect(await store.operatorSessions.openByPassword(before, new Uint8Array(32).fill(8))).toBe(false);
  });

  test("ends after a night, unless its operator was seen, and after a week whatever happened", async () => {
    await signInByLink("ann");
    clock.nowMs += SESSION_IDLE_MS - 1;
    expect(await store.operatorSessions.find(SESSION)).toBeDefined();
    clock.nowMs += 1;
    expect(await store.operatorSessions.find(SESSION)).toBeUndefined();
    await signInByLink("ann", OTHER_SESSION);
    const end = clock.nowMs + SESSION_LONGEST_MS;
    while (clock.nowMs + HOUR_MS < end) {
      clock.nowMs += HOUR_MS;
      await store.operatorSessions.touch(OTHER_SESSION);
    }
    expect(await store.operatorSessions.find(OTHER_SESSION)).toBeDefined();
    expect((await store.operators.find("ann"))?.lastSeenAt).toBe(clock.nowMs);
    clock.nowMs = end;
    expect(await store.operatorSessions.find(OTHER_SESSION)).toBeUndefined();
  });

  test("ends when its operator is removed, given another role, or another password", async () => {
    await signInByLink("bob");
    await store.operators.setRole("bob", "editor");
    expect(await store.operatorSessions.find(SESSION)).toBeUndefined();
    await signInByLink("bob");
    await store.operators.setPassword("bob", "new", OTHER_SESSION);
    expect(await store.operatorSessions.find(SESSION)).toBeUndefined();
    expect(await store.operatorSessions.find(OTHER_SESSION)).toMatchObject({
      operator: { name: "bob", passwordHash: "new" },
    });
    await store.operators.remove("bob");
    expect(await store.operatorSessions.find(OTHER_SESSION)).toBeUndefined();
  });

  test("is swept away once it has ended, when another begins", async () => {
    await signInByLink("ann");
    clock.nowMs += SESSION_IDLE_MS;
    await signInByLink("ann", OTHER_SESSION);
    // Were it still there, it would last at this instant.
    clock.nowMs = 1_000_001;
    expect(await store.operatorSessions.find(SESSION)).toBeUndefined();
    await store.operatorSessions.end(OTHER_SESSION);
    expect(await store.operatorSessions.find(OTHER_SESSION)).toBeUndefined();
  });
});

describe("a key", () => {
  const KEY = {
    id: "ok_1",
    hash: new Uint8Array(32).fill(5),
    label: "nightly",
    permissions: ["read", "bots.write"] as const,
    createdBy: "ann",
  };

  test("is listed without itself, and known by its hash", async () => {
    expect(await store.operatorKeys.add({ ...KEY, expiresAt: 5_000_000 })).toBe(true);
    expect(await store.operatorKeys.add({ ...KEY, id: "ok_2", createdBy: "carl" })).toBe(false);
    const expected = {
      id: "ok_1",
      label: "nightly",
      permissions: ["read", "bots.write"],
      createdBy: "Ann",
      makerRole: "owner" as const,
      createdAt: 1_000_000,
      expiresAt: 5_000_000,
    };
    expect(await store.operatorKeys.list()).toEqual([expected as never]);
    expect(await store.operatorKeys.find(KEY.hash)).toEqual(expected as never);
    clock.nowMs += 7;
    await store.operatorKeys.touch("ok_1");
    expect((await store.operatorKeys.find(KEY.hash))?.lastUsedAt).toBe(1_000_007);
  });

  test("goes when it is removed, and with the operator who made it", async () => {
    await store.operatorKeys.add(KEY);
    expect(await store.operatorKeys.remove("ok_1")).toBe(true);
    expect(await store.operatorKeys.remove("ok_1")).toBe(false);
    await store.operatorKeys.add(KEY);
    await store.operators.remove("ann", { force: true });
    expect(await store.operatorKeys.find(KEY.hash)).toBeUndefined();
    const [latest] = await store.changes.list({ limit: 1 });
    expect(latest!.fields).toContainEqual({ field: "keys", removed: ["ok_1"] });
    expect(await kinds()).toContain("key.removed ok_1");
  });

  test("takes what it made with it: keys, those that they made, links, and sessions", async () => {
    const bytes = (fill: number) => new Uint8Array(32).fill(fill);
    const keys = store.operatorKeys;
    await keys.add(KEY);
    await keys.add({ ...KEY, id: "ok_2", hash: bytes(6), madeBy: "ok_1" });
    await keys.add({ ...KEY, id: "ok_3", hash: bytes(7), madeBy: "ok_2" });
    await keys.add({ ...KEY, id: "ok_4", hash: bytes(8) });
    const expiresAt = clock.nowMs + 1000;
    expect(await store.operators.issueLink("bob", { hash: LINK, expiresAt, madeBy: "ok_3" })).toBe(true);
    await store.operatorSessions.openByLink(LINK, SESSION);
    expect(await store.operatorSessions.find(SESSION)).toMatchObject({ madeBy: { id: "ok_3" } });
    await store.operators.issueLink("bob", { hash: OTHER_SESSION, expiresAt, madeBy: "ok_2" });
    expect(await keys.remove("ok_1")).toBe(true);
    expect(await Promise.all([5, 6, 7].map((fill) => keys.find(bytes(fill))))).toEqual([
      undefined,
      undefined,
      undefined,
    ]);
    expect(await keys.find(bytes(8))).toBeDefined();
    expect(await store.operatorSessions.find(SESSION)).toBeUndefined();
    expect(await store.operators.findByLink(OTHER_SESSION)).toBeUndefined();
    const [latest] = await store.changes.list({ limit: 1 });
    expect(latest!.fields).toContainEqual({ field: "keys", removed: ["ok_2", "ok_3"] });
    // Of a key that is gone nothing is made any more.
    expect(await keys.add({ ...KEY, id: "ok_5", hash: bytes(9), madeBy: "ok_1" })).toBe(false);
    expect(await store.operators.issueLink("bob", { hash: LINK, expiresAt, madeBy: "ok_1" })).toBe(false);
  });

  test("ends the sessions of its links at its own end", async () => {
    await store.operatorKeys.add({ ...KEY, expiresAt: clock.nowMs + 5000 });
    await store.operators.issueLink("bob", { hash: LINK, expiresAt: clock.nowMs + 1000, madeBy: KEY.id });
    await store.operatorSessions.openByLink(LINK, SESSION);
    clock.nowMs += 4999;
    expect(await store.operatorSessions.find(SESSION)).toBeDefined();
    clock.nowMs += 1;
    expect(await store.operatorSessions.find(SESSION)).toBeUndefined();
  });
});
