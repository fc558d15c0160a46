import { afterAll, beforeAll, expect, setDefaultTimeout, test } from "bun:test";

import { widgetAssets } from "../../src/widget/assets.ts";
import { shopBot } from "../support/bots.ts";
import { withoutSecureContext } from "../support/browser.ts";
import { HANG_MS } from "../support/eventually.ts";
import { type TestParley, startParley } from "../support/parley.ts";
import { sharedBrowser } from "../support/profiles.ts";

setDefaultTimeout(120_000);

let parley: TestParley;
beforeAll(async () => {
  parley = await startParley({ bots: [shopBot({ allowedDomains: ["localhost"], handoff: {} })] });
});
afterAll(() => parley[Symbol.asyncDispose]());

/** Runs before the client does. */
const BEFORE = "export const names = Object.getOwnPropertyNames(window);";

const MODULE = `
  import { names } from "/before.js";
  import { createClient, ParleyError } from "SERVICE/cdn/client.js";
  document.title = "A shop that runs";
  const told = [];
  const client = createClient({ endpoint: "SERVICE", token: "TOKEN", botId: "shop" });
  for await (const event of client.stream("where is my order")) told.push(event);
  const { conversationId, requestId } = told.at(-1).answer;
  await client.rate({ conversationId, requestId, rating: "up" });
  const { response } = await client.chat("delete my account", { conversationId });
  const { state } = await client.handoff({ conversationId });
  const { botName } = await client.embedConfig();
  const error = await client.chat(" ").catch((reason) => reason);
  const added = Object.getOwnPropertyNames(window).filter((name) => !names.includes(name));
  document.querySelector("output").textContent = JSON.stringify({
    types: told.map(({ type }) => type), response, state, botName, added,
    code: error instanceof ParleyError && error.code,
  });
`;

/** A page of another origin than the service's, under a policy that allows it nothing that it does not need. */
function servePage(integrity: string): Bun.Server<undefined> {
  const module = MODULE.replaceAll("SERVICE", parley.url).replace("TOKEN", parley.token);
  const scripts: Record<string, string> = { "/page.js": module, "/before.js": BEFORE };
  const html = `<!doctype html><title>A shop</title>
    <link rel="modulepreload" href="${parley.url}/cdn/client.js" integrity="${integrity}">
    <output></output><script type="module" src="/page.js"></script>`;
  const policy = `default-src 'none'; script-src 'self' ${parley.url}/cdn/client.js; connect-src ${parley.url}; require-trusted-types-for 'script'; trusted-types 'none'`;
  return Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    fetch({ url }) {
      const { pathname } = new URL(url);
      const script = scripts[pathname];
      if (script) return new Response(script, { headers: { "Content-Type": "text/javascript" } });
      if (pathname === "/") {
        const headers = { "Content-Type": "text/html", "Content-Security-Policy": policy };
        return new Response(html, { headers });
      }
      return new Response(null, { status: 204 });
    },
  });
}

async function visit(integrity: string) {
  const context = await (await sharedBrowser()).newContext();
  context.setDefaultTimeout(HANG_MS);
  const page = await context.newPage();
  await withoutSecureContext(page);
  const troubles: string[] = [];
  page.on("pageerror", (error) => troubles.push(error.message));
  page.on("console", (message) => message.type() === "error" && troubles.push(message.text()));
  const host = servePage(integrity);
  await page.goto(`http://localhost:${host.port}/`);
  return {
    page,
    troubles,
    async [Symbol.asyncDispose]() {
      await context.close();
      await host.stop(true);
    },
  };
}

const integrityOf = async () => (await widgetAssets()).find(({ path }) => path === "client.js")!.integrity;

test("a page of another origin talks to the bot under a strict policy and over http, and keeps no global", async () => {
  await using shop = await visit(await integrityOf());
  const output = shop.page.locator("output:not(:empty)");
  await output.waitFor({ state: "attached" });
  expect(JSON.parse((await output.textContent())!)).toEqual({
    types: ["meta", "delta", "done"],
    response: "That is not for a bot to do.",
    state: "open",
    botName: "Shop",
    added: [],
    code: "INVALID_REQUEST",
  });
  // The browser itself tells of the one answer that is an error.
  expect(shop.troubles.filter((trouble) => !trouble.includes("400 (Bad Request)"))).toEqual([]);
});

test("a page that pins the client does not run another", async () => {
  await using shop = await visit(`sha384-${"A".repeat(64)}`);
  // The page has loaded: its modules have run, or never will.
  expect(await shop.page.title()).toBe("A shop");
  expect(shop.troubles).toContainEqual(expect.stringContaining("integrity"));
});
