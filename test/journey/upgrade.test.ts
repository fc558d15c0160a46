import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import pino from "pino";

import { loadConfig } from "../../src/config/config.ts";
import { type RunningServer, startServer } from "../../src/http/server.ts";
import { smallBuild } from "../support/builds.ts";
import { eventually } from "../support/eventually.ts";
import { openTestStore, type TestStore } from "../support/store-under-test.ts";

const FOR_EVER = "public, max-age=31536000, immutable";

type Build = ReturnType<typeof smallBuild>;

const [one, two, three, four] = ["one", "two", "three", "four"].map(smallBuild) as [
  Build,
  Build,
  Build,
  Build,
];

let dataDir: string;
let opened: TestStore;
const running = new Set<RunningServer>();

beforeEach(async () => {
  dataDir = mkdtempSync(join(tmpdir(), "parley-test-"));
  opened = await openTestStore(dataDir, Date.now);
  await opened.store.operators.add({ name: "ann", role: "owner" });
});
afterEach(async () => {
  for (const server of running) await end(server);
  await opened.store[Symbol.asyncDispose]();
  await opened.drop();
  rmSync(dataDir, { recursive: true });
});

/** A server of that build, which has stored its files. */
async function start({ sets, panel }: Build): Promise<RunningServer> {
  const flags = { ...opened.flags, port: "0", operatorPort: "0" };
  const config = loadConfig({ flags, env: {}, readFile: () => "" });
  const server = await startServer(config, { log: pino({ level: "silent" }), assets: sets });
  running.add(server);
  await eventually(async () => {
    const kept = await opened.store.assets.listFiles();
    return kept.findLast(({ path }) => path.startsWith("cdn/panel-"))?.path === `cdn/${panel.path}`;
  });
  return server;
}

async function end(server: RunningServer): Promise<void> {
  running.delete(server);
  await server.close();
}

/** Runs servers of these builds, one after the other. @returns the last one. */
async function upgradeThrough(...builds: readonly Build[]): Promise<RunningServer> {
  for (const build of builds.slice(0, -1)) await end(await start(build));
  return start(builds.at(-1)!);
}

async function load(url: string, headers: Record<string, string> = {}) {
  const response = await fetch(url, { headers });
  const cached = response.headers.get("cache-control");
  return { status: response.status, cached, text: await response.text() };
}

const panelOf = (server: RunningServer, { panel }: Build) => load(`${server.localUrl}/cdn/${panel.path}`);
const partOf = (server: RunningServer, { part }: Build) =>
  load(`${server.localOperatorUrl}/assets/${part.path}`);

describe("one server", () => {
  test("serves the parts that pages of the two builds before ask for, as they were", async () => {
    const server = await upgradeThrough(one, two, three);
    for (const [build, name] of [
      [one, "one"],
      [two, "two"],
      [three, "three"],
    ] as const) {
      expect(await panelOf(server, build)).toEqual({
        status: 200,
        cached: FOR_EVER,
        text: `panel of ${name}`,
      });
      expect(await partOf(server, build)).toEqual({
        status: 200,
        cached: FOR_EVER,
        text: `console of ${name}`,
      });
    }
  });

  test("says of an earlier part what it is, in each encoding", async () => {
    const server = await upgradeThrough(one, two);
    const url = `${server.localUrl}/cdn/${one.panel.path}`;
    for (const encoding of ["br", "gzip", "identity"]) {
      const { status, headers } = await fetch(url, { headers: { "Accept-Encoding": encoding } });
      expect([status, headers.get("content-encoding") ?? "identity"]).toEqual([200, encoding]);
      expect(headers.get("content-type")).toBe("text/javascript; charset=utf-8");
      expect(headers.get("x-content-type-options")).toBe("nosniff");
      const again = await fetch(url, {
        headers: { "Accept-Encoding": encoding, "If-None-Match": headers.get("etag")! },
      });
      expect(again.status).toBe(304);
    }
    const part = await fetch(`${server.localOperatorUrl}/assets/${one.part.path}`);
    expect(part.headers.get("cross-origin-resource-policy")).toBe("same-origin");
  });

  test("gives the widget of a build that is gone the part of the nearest later one, and nobody keeps it", async () => {
    const server = await upgradeThrough(one, two, three, four);
    expect(await panelOf(server, one)).toEqual({ status: 200, cached: "no-cache", text: "panel of two" });
    expect((await panelOf(server, two)).cached).toBe(FOR_EVER);
  });

  test("has no part for a console of a build that is gone: a later one would bring another console", async () => {
    const server = await upgradeThrough(one, two, three, four);
    expect(await partOf(server, one)).toMatchObject({ status: 404, cached: "no-store" });
  });

  test("serves a build that it goes back to", async () => {
    const server = await upgradeThrough(one, two, one);
    expect(await load(`${server.localUrl}/cdn/widget.js`)).toMatchObject({ text: "loader of one" });
    expect(await panelOf(server, two)).toMatchObject({ status: 200, text: "panel of two" });
  });

  test.each(["cdn/panel-xx-01234567.js", "cdn/other-01234567.js", "cdn/panel-en.js", "cdn/nothing.js"])(
    "has nothing for %s, which no build has",
    async (path) => {
      const server = await upgradeThrough(one, two);
      expect(await load(`${server.localUrl}/${path}`)).toMatchObject({ status: 404, cached: "no-store" });
    },
  );

  test("keeps what belongs to one listener from the other", async () => {
    const server = await upgradeThrough(one, two);
    expect((await load(`${server.localUrl}/cdn/${one.part.path}`)).status).toBe(404);
    expect((await load(`${server.localUrl}/assets/${one.part.path}`)).status).toBe(404);
    expect((await load(`${server.localOperatorUrl}/cdn/${one.panel.path}`)).status).toBe(404);
  });
});

describe("two servers of different builds on one store", () => {
  test("serve each other's parts, whichever a page came from", async () => {
    const [before, upgraded] = [await start(one), await start(two)];
    for (const server of [before, upgraded]) {
      for (const [build, name] of [
        [one, "one"],
        [two, "two"],
      ] as const) {
        const text = `panel of ${name}`;
        expect(await panelOf(server, build)).toEqual({ status: 200, cached: FOR_EVER, text });
        expect(await partOf(server, build)).toMatchObject({ status: 200, text: `console of ${name}` });
      }
    }
  });

  test("know of a build that is stored a moment after they looked", async () => {
    const before = await upgradeThrough(one, two);
    expect((await panelOf(before, four)).cached).toBe("no-cache");
    await start(four);
    expect(await panelOf(before, four)).toEqual({ status: 200, cached: FOR_EVER, text: "panel of four" });
  });

  test("keep the build of the one that was not upgraded yet, however many come after it", async () => {
    const before = await start(one);
    const upgraded = await upgradeThrough(two, three, four);
    expect(await panelOf(upgraded, one)).toMatchObject({ cached: FOR_EVER, text: "panel of one" });
    await end(before);
  });
});

test("a part that the store has damaged is not served; the next build's stands in for it", async () => {
  await end(await upgradeThrough(one, two));
  await opened.runSql(
    `UPDATE asset_contents SET brotli = (SELECT brotli FROM asset_contents WHERE integrity = '${two.part.integrity}')
     WHERE integrity = '${one.panel.integrity}'`,
  );
  const server = await start(two);
  expect(await panelOf(server, one)).toMatchObject({ cached: "no-cache", text: "panel of two" });
});
