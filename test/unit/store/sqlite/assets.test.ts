import { afterEach, describe, expect, test } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import type { BuildFile } from "../../../../src/store/interface/assets.ts";
import type { Store } from "../../../../src/store/interface/store.ts";
import type { LeaseTimes } from "../../../../src/store/lease-observer.ts";
import { SqliteStore } from "../../../../src/store/sqlite/sqlite-store.ts";
import { whyNoPostgres } from "../../../support/postgres-server.ts";
import { PostgresStores } from "../../../support/postgres-stores.ts";

const LEASE: LeaseTimes = { beatEveryMs: 3000, leaseMs: 15_000 };

/** Stores of several servers on the same data. */
interface Servers extends AsyncDisposable {
  open: () => Promise<Store>;
  /** One of them ends before the others. */
  close: (store: Store) => Promise<void>;
}

async function openFolder(): Promise<Servers> {
  const dataDir = mkdtempSync(join(tmpdir(), "parley-test-"));
  const opened = new Set<Store>();
  const close = async (store: Store) => {
    opened.delete(store);
    await store[Symbol.asyncDispose]();
  };
  return {
    async open() {
      const store = new SqliteStore({ dataDir, now: Date.now, busyTimeoutMs: 0, lease: LEASE });
      opened.add(store);
      return store;
    },
    close,
    async [Symbol.asyncDispose]() {
      for (const store of opened) await close(store);
      rmSync(dataDir, { recursive: true });
    },
  };
}

async function openDatabase(): Promise<Servers> {
  const stores = await PostgresStores.create();
  return {
    open: () => stores.open({ lease: LEASE }),
    close: async (store) => store[Symbol.asyncDispose](),
    [Symbol.asyncDispose]: () => stores[Symbol.asyncDispose](),
  };
}

function file(path: string, content: string): BuildFile {
  return { path, integrity: `sha384-${content}`, brotli: new TextEncoder().encode(content) };
}

/** What a build of that name has: a file of its own, and one that all builds share. */
const filesOf = (build: string) => [
  file(`cdn/panel-en-${build}.js`, `panel ${build}`),
  file("cdn/template-0.js", "template"),
];

const save = (store: Store, build: string) => store.assets.saveBuild(build, filesOf(build));

/** The builds whose own file is kept, the earliest first. */
async function keptBuilds(store: Store): Promise<string[]> {
  const files = await store.assets.listFiles();
  return files.flatMap(({ path }) => /panel-en-(\w+)/.exec(path)?.[1] ?? []);
}

const textOf = async (store: Store, content: string) => {
  const bytes = await store.assets.findContent(`sha384-${content}`);
  return bytes && new TextDecoder().decode(bytes);
};

let servers: Promise<Servers> | undefined;
afterEach(async () => {
  await (await servers)?.[Symbol.asyncDispose]();
  servers = undefined;
});

describe.each([
  { engine: "SQLite", openServers: openFolder, isMissing: false },
  { engine: "PostgreSQL", openServers: openDatabase, isMissing: whyNoPostgres !== undefined },
])("on $engine", ({ openServers, isMissing }) => {
  const testHere = test.skipIf(isMissing);
  const open = async () => (await (servers ??= openServers())).open();

  testHere("the build that was started last and the two before it are kept, the earliest first", async () => {
    const store = await open();
    for (const build of ["a", "b", "c", "d"]) await save(store, build);
    expect(await keptBuilds(store)).toEqual(["b", "c", "d"]);
    expect(await textOf(store, "panel b")).toBe("panel b");
    expect(await textOf(store, "panel a")).toBeUndefined();
  });

  testHere("a file of several builds is kept as long as one of them is", async () => {
    const store = await open();
    for (const build of ["a", "b", "c", "d", "e"]) await save(store, build);
    expect(await textOf(store, "template")).toBe("template");
    const shared = (await store.assets.listFiles()).filter(({ path }) => path === "cdn/template-0.js");
    expect(shared.map(({ integrity }) => integrity)).toEqual(Array(3).fill("sha384-template"));
  });

  testHere("a build that is started again is the latest, and takes no place twice", async () => {
    const store = await open();
    for (const build of ["a", "b", "c", "a", "a"]) await save(store, build);
    expect(await keptBuilds(store)).toEqual(["b", "c", "a"]);
    await save(store, "d");
    expect(await keptBuilds(store)).toEqual(["c", "a", "d"]);
  });

  testHere("a build stays while a server runs it, however many come after it", async () => {
    const [running, upgraded] = [await open(), await open()];
    await running.giveBackUnfinished();
    await upgraded.giveBackUnfinished();
    await save(running, "a");
    for (const build of ["b", "c", "d"]) await save(upgraded, build);
    expect(await keptBuilds(upgraded)).toEqual(["a", "b", "c", "d"]);
    await (await servers)!.close(running);
    await save(upgraded, "e");
    expect(await keptBuilds(upgraded)).toEqual(["c", "d", "e"]);
  });

  testHere("a server that was taken for dead, and goes on, runs its build still", async () => {
    const [frozen, other] = [await open(), await open()];
    await frozen.giveBackUnfinished();
    await other.giveBackUnfinished();
    await save(frozen, "a");
    let steadyMs = 0;
    const beat = () => other.renewLease(() => (steadyMs += LEASE.beatEveryMs));
    const dead: number[] = [];
    while (!dead.includes(1)) dead.push((await beat()).deadServers);
    expect((await frozen.renewLease(() => 0)).wasTakenForDead).toBe(true);
    for (const build of ["b", "c", "d"]) await save(other, build);
    expect(await keptBuilds(other)).toEqual(["a", "b", "c", "d"]);
  });

  testHere("servers that start at the same moment store their builds side by side", async () => {
    const stores = await Promise.all(["a", "b", "c"].map(() => open()));
    await Promise.all(stores.flatMap((store, at) => [save(store, "abc"[at]!), save(store, "a")]));
    expect((await keptBuilds(stores[0]!)).toSorted()).toEqual(["a", "b", "c"]);
    expect(await textOf(stores[1]!, "template")).toBe("template");
  });

  testHere("what nobody has stored is not there", async () => {
    const store = await open();
    expect(await store.assets.listFiles()).toEqual([]);
    expect(await textOf(store, "panel a")).toBeUndefined();
  });
});
