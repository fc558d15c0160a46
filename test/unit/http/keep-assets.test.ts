import { expect, test } from "bun:test";

import pino from "pino";

import { keepAssets } from "../../../src/http/keep-assets.ts";
import { createMetrics } from "../../../src/metrics.ts";
import { SqliteStore } from "../../../src/store/sqlite/sqlite-store.ts";
import { smallBuild } from "../../support/builds.ts";
import { eventually } from "../../support/eventually.ts";

const SERIES = /^parley_assets_unstored (\d)$/m;

/** A server's parts, whose store refuses the build as often as is said. */
function serverWith({ refusals, areBuilt = true }: { refusals: number; areBuilt?: boolean }) {
  const store = new SqliteStore({ dataDir: ":memory:", now: Date.now, busyTimeoutMs: 0 });
  const lines: string[] = [];
  const metrics = createMetrics();
  let left = refusals;
  const assets = {
    saveBuild: (...build: Parameters<SqliteStore["assets"]["saveBuild"]>) =>
      left-- > 0 ? Promise.reject(new Error("no room")) : store.assets.saveBuild(...build),
    listFiles: () => store.assets.listFiles(),
    findContent: (integrity: string) => store.assets.findContent(integrity),
  };
  const stop = keepAssets({
    assets: { ...smallBuild("one").sets, areBuilt },
    store: { assets, health: store.health },
    log: pino({ level: "trace" }, { write: (line: string) => void lines.push(line) }),
    metrics,
    retryMs: 1,
  });
  const unstored = async () => SERIES.exec(await metrics.expose())?.[1];
  return {
    store,
    lines,
    unstored,
    stop,
    async [Symbol.asyncDispose]() {
      await stop();
      await store[Symbol.asyncDispose]();
    },
  };
}

test("stores those files whose names hold a hash, by listener", async () => {
  await using server = serverWith({ refusals: 0 });
  await eventually(async () => (await server.store.assets.listFiles()).length > 0);
  const { panel, template, part } = smallBuild("one");
  const paths = (await server.store.assets.listFiles()).map(({ path }) => path);
  expect(paths.toSorted()).toEqual([`assets/${part.path}`, `cdn/${panel.path}`, `cdn/${template.path}`]);
  expect(await server.unstored()).toBe("0");
  expect(server.lines).toEqual([]);
});

test("a store that fails is tried again, said in the log and counted meanwhile", async () => {
  await using server = serverWith({ refusals: 3 });
  await eventually(async () => (await server.store.assets.listFiles()).length > 0);
  expect(server.lines).toHaveLength(3);
  expect(JSON.parse(server.lines[0]!)).toMatchObject({ level: 50, err: { message: "no room" } });
  await eventually(async () => (await server.unstored()) === "0");
});

test("a failure shows as long as it lasts", async () => {
  await using server = serverWith({ refusals: Infinity });
  await eventually(async () => (await server.unstored()) === "1");
  expect(server.lines.length).toBeGreaterThan(0);
});

test("what is not built yet is not built for it", async () => {
  await using server = serverWith({ refusals: 0, areBuilt: false });
  await server.stop();
  expect(await server.store.assets.listFiles()).toEqual([]);
});
