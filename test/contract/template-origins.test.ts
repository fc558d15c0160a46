import { afterAll, beforeAll, describe, expect, test } from "bun:test";

import type { BotDetails } from "../../src/domain/operator/bots.ts";
import { exportBot } from "../../src/seed/export-bot.ts";
import { shopBot } from "../support/bots.ts";
import { type TestOperator, signIn } from "../support/operators.ts";
import { type TestParley, startParley } from "../support/parley.ts";

const STORED = "https://old.example/panel.js";
const templateOf = (bundleUrl: string) => ({ template: { id: "panel", bundleUrl } });
const yamlOf = (bundleUrl: string, id = "shop") => exportBot(shopBot({ id, ...templateOf(bundleUrl) }));

let parley: TestParley;
let editor: TestOperator;

beforeAll(async () => {
  parley = await startParley({
    bots: [shopBot(), shopBot({ id: "old", ...templateOf(STORED) })],
    flags: { templateOrigins: "https://assets.example" },
  });
  editor = await signIn(parley, "ed", "editor");
});
afterAll(() => parley[Symbol.asyncDispose]());

async function publish(yaml: string, bot = "shop"): Promise<Response> {
  const { headers } = await editor.ask("GET", `/bots/${bot}`);
  return editor.ask("PUT", `/bots/${bot}`, { body: { yaml }, headers: { "If-Match": headers.get("etag")! } });
}

describe("who may edit bots does not decide whose scripts run on customers' pages", () => {
  test.each(["https://evil.example/x.js", "http:evil.example/x.js"])(
    "a bundle from elsewhere is neither published nor made: %s",
    async (url) => {
      for (const response of [
        await publish(yamlOf(url)),
        await editor.ask("POST", "/bots", { body: { yaml: yamlOf(url, "fresh") } }),
      ]) {
        expect(response.status).toBe(422);
        expect(await response.text()).toContain("bundleUrl");
      }
      const config = await (await fetch(`${parley.url}/embed-config?botId=shop`)).text();
      expect(config).not.toContain("evil");
    },
  );

  test("a draft says so while it is written", async () => {
    const { mistakes } = await editor.json<Pick<BotDetails, "mistakes">>("POST", "/bots/shop/validate", {
      yaml: yamlOf("https://evil.example/x.js"),
    });
    expect(mistakes).toContainEqual(
      expect.objectContaining({ severity: "error", message: expect.stringContaining("--template-origins") }),
    );
  });

  test("relative ones, those of the CDN's origin, and of origins that the settings name are published", async () => {
    const { cdnUrl } = parley.server;
    for (const url of ["templates/kiosk.js", `${cdnUrl}/mine.js`, "https://assets.example/x.js"]) {
      expect((await publish(yamlOf(url))).status).toBe(200);
    }
  });

  test("one that is stored may be published again unchanged, and does not come back by a restore once it has gone", async () => {
    const yaml = `# another comment\n${yamlOf(STORED, "old")}`;
    expect((await publish(yaml, "old")).status).toBe(200);
    expect((await publish(yamlOf("https://old.example/other.js", "old"), "old")).status).toBe(422);
    expect((await publish(yamlOf("templates/kiosk.js", "old"), "old")).status).toBe(200);
    expect((await publish(yamlOf(STORED, "old"), "old")).status).toBe(422);
    const { headers } = await editor.ask("GET", "/bots/old");
    const restored = await editor.ask("POST", "/bots/old/versions/1/restore", {
      headers: { "If-Match": headers.get("etag")! },
    });
    expect(restored.status).toBe(422);
    expect(await restored.text()).toContain("bundleUrl");
  });
});
