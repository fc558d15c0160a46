import { afterEach, beforeEach, expect, test } from "bun:test";
import { rmSync } from "node:fs";
import { join } from "node:path";

import pino from "pino";

import { loadConfig } from "../../src/config/config.ts";
import { startServer } from "../../src/http/server.ts";
import { SqliteStore } from "../../src/store/sqlite/sqlite-store.ts";
import { smallBuild } from "../support/builds.ts";
import { eventually } from "../support/eventually.ts";
import { emptyFolder, serveExecutable } from "../support/executable.ts";

let folder: string;
beforeEach(() => void (folder = emptyFolder()));
afterEach(() => rmSync(folder, { recursive: true }));

/** The addresses that the executable's own pages load parts from. */
async function partsOf({ url, operatorUrl }: { url: string; operatorUrl: string }) {
  const loader = await (await fetch(`${url}/cdn/widget.js`)).text();
  const [, hash] = /panel-.{0,12}?-([0-9a-f]{8})\.js/.exec(loader) ?? [];
  const page = await (await fetch(operatorUrl, { headers: { Accept: "text/html" } })).text();
  const [, script] = /"\/(assets\/console-\w+\.js)"/.exec(page) ?? [];
  const console = await (await fetch(`${operatorUrl}/${script}`)).text();
  const [part] = /part-\w+\.js/.exec(console) ?? [];
  return { panel: `cdn/panel-de-${hash}.js`, part: `assets/${part}` };
}

test("what an executable has stored at its start, a server of another build serves in its place", async () => {
  const data = join(folder, "data");
  let parts: Awaited<ReturnType<typeof partsOf>>;
  let panel: string;
  {
    await using serving = await serveExecutable(folder, ["--data", data]);
    parts = await partsOf(serving);
    panel = await (await fetch(`${serving.url}/${parts.panel}`)).text();
    await using store = new SqliteStore({ dataDir: data, now: Date.now, busyTimeoutMs: 5000 });
    await eventually(async () => (await store.assets.listFiles()).some(({ path }) => path === parts.panel));
    await store.operators.add({ name: "ann", role: "owner" });
  }
  const config = loadConfig({ flags: { data, port: "0", operatorPort: "0" }, env: {}, readFile: () => "" });
  const server = await startServer(config, {
    log: pino({ level: "silent" }),
    assets: smallBuild("two").sets,
  });
  try {
    const served = await fetch(`${server.localUrl}/${parts.panel}`);
    expect([served.status, await served.text()]).toEqual([200, panel]);
    expect((await fetch(`${server.localOperatorUrl}/${parts.part}`)).status).toBe(200);
  } finally {
    await server.close();
  }
});
