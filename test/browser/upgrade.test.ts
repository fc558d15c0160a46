import { afterEach, beforeAll, beforeEach, describe, expect, setDefaultTimeout } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import type { Page } from "playwright-core";

import { loadConfig } from "../../src/config/config.ts";
import { consoleAssets } from "../../src/console/assets.ts";
import type { AssetSets } from "../../src/http/asset-sets.ts";
import { type RunningServer, startServer } from "../../src/http/server.ts";
import { widgetAssets } from "../../src/widget/assets.ts";
import { shopBot } from "../support/bots.ts";
import { embed } from "../support/browser.ts";
import { asVersion } from "../support/builds.ts";
import { openConsole } from "../support/console-page.ts";
import { eventually } from "../support/eventually.ts";
import { journey, test } from "../support/journey.ts";
import { signIn } from "../support/operators.ts";
import { issueToken } from "../support/parley.ts";
import { openTestStore, type TestStore } from "../support/store-under-test.ts";

setDefaultTimeout(120_000);

/** Versions of the real widget and console, from the earliest on. */
const VERSIONS = ["one", "two", "three", "four"] as const;
type Version = (typeof VERSIONS)[number];

const builds = new Map<Version, AssetSets>();
beforeAll(async () => {
  for (const version of VERSIONS) {
    const [widget, console] = [await widgetAssets(), await consoleAssets()].map((assets) =>
      asVersion(version, assets),
    );
    builds.set(version, { widget: async () => widget!, console: async () => console!, areBuilt: true });
  }
});

let dataDir: string;
let opened: TestStore;
let embedToken: string;
let server: RunningServer;
/** Those of the server that ran first: whoever loaded a page goes on asking there. */
let ports: { port: string; operatorPort: string };

beforeEach(async () => {
  dataDir = mkdtempSync(join(tmpdir(), "parley-test-"));
  opened = await openTestStore(dataDir, Date.now);
  await opened.store.bots.seed([shopBot()], { prune: false, dryRun: false });
  embedToken = await issueToken(opened.store, ["shop"]);
  ports = { port: "0", operatorPort: "0" };
  await start("one");
});
afterEach(async () => {
  await server.close();
  await opened.store[Symbol.asyncDispose]();
  await opened.drop();
  rmSync(dataDir, { recursive: true });
});

async function start(version: Version): Promise<void> {
  const flags = { ...opened.flags, ...ports, logLevel: "silent" };
  const config = loadConfig({ flags, env: {}, readFile: () => "" });
  server = await startServer(config, { assets: builds.get(version)! });
  ports = { port: new URL(server.localUrl).port, operatorPort: new URL(server.localOperatorUrl).port };
  const loader = (await builds.get(version)!.widget()).find(({ immutable }) => immutable);
  await eventually(async () =>
    (await opened.store.assets.listFiles()).some(({ path }) => path === `cdn/${loader!.path}`),
  );
}

async function upgradeThrough(...versions: readonly Version[]): Promise<void> {
  for (const version of versions) {
    await server.close();
    await start(version);
  }
}

/** The versions whose scripts have run in a page. */
const ranIn = (page: Page) =>
  page.evaluate(() => [...((globalThis as { ranVersions?: Set<string> }).ranVersions ?? [])]);

const openShop = () => embed({ serviceUrl: server.localUrl, botId: "shop", embedToken });

describe("a page with the widget, closed while the server is upgraded", () => {
  journey("opens, and is answered, by the files of its own version", async () => {
    await using shop = await openShop();
    await shop.launcher.waitFor();
    await upgradeThrough("two", "three");
    await shop.open();
    await shop.say("where is my order");
    await shop.log.getByText(/on its way|sent it yesterday/).waitFor();
    expect(await ranIn(shop.page)).toEqual(["one"]);
    expect(shop.troubles).toEqual([]);
  });

  test("opens by the nearest later version where its own is gone", async () => {
    await using shop = await openShop();
    await shop.launcher.waitFor();
    await upgradeThrough("two", "three", "four");
    await shop.open();
    await shop.say("where is my order");
    await shop.log.getByText(/on its way|sent it yesterday/).waitFor();
    expect(await ranIn(shop.page)).toEqual(["one", "two"]);
    expect(shop.troubles).toEqual([]);
  });
});

describe("a console that is open while the server is upgraded", () => {
  async function openOverview() {
    const operator = await signIn({ server, store: opened.store }, "ann", "owner");
    const [name, value] = operator.credentials.Cookie!.split("=");
    const url = server.localOperatorUrl;
    const open = await openConsole(url, "/sign-in");
    await open.page.context().addCookies([{ name: name!, value: value!, url }]);
    await open.open("/tokens");
    return open;
  }
  const goTo = (page: Page, name: string) => page.getByRole("link", { name, exact: true }).first().click();

  journey("opens further pages by the files of its own version", async () => {
    await using open = await openOverview();
    await upgradeThrough("two", "three");
    await goTo(open.page, "Audit");
    await open.page.getByRole("heading", { name: "Audit", level: 1 }).waitFor();
    expect(await ranIn(open.page)).toEqual(["one"]);
  });

  test("says that it was updated, and reloads, where its own version is gone", async () => {
    await using open = await openOverview();
    const { page } = open;
    await upgradeThrough("two", "three", "four");
    await goTo(page, "Audit");
    await page.getByText("or was updated").waitFor();
    await page.getByRole("button", { name: "Reload the console" }).click();
    await page.getByRole("heading", { name: "Audit", level: 1 }).waitFor();
    expect(await ranIn(page)).toEqual(["four"]);
  });
});
