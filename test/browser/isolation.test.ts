import { afterAll, beforeAll, beforeEach, expect, setDefaultTimeout, test } from "bun:test";

import { embed, type EmbeddedPage, type Embedding } from "../support/browser.ts";
import { answer, type MockService, problem, startMockService } from "../support/mock-service.ts";

setDefaultTimeout(120_000);

let service: MockService;
beforeAll(async () => {
  service = await startMockService();
});
beforeEach(() => {
  service.config = () => ({ suggestedQuestions: [{ id: "a", text: "Where is my order?", order: 1 }] });
  service.chat = () => answer("It is **on** its [way](https://example.com).\n\n- one\n- two");
});
afterAll(() => service[Symbol.asyncDispose]());

const openPage = (options = {}) => embed({ serviceUrl: service.url, ...options });

/** Every computed property of every element of the widget, after a conversation. */
async function computedStyles(options: Partial<Embedding>): Promise<string[]> {
  await using shop = await openPage({ context: { viewport: { width: 1000, height: 800 } }, ...options });
  await shop.open();
  await shop.say("Hello");
  await shop.log.locator("a").waitFor();
  await shop.page.mouse.move(5, 5);
  return await shop.page.evaluate(() => {
    const host = document.querySelector("parley-chat")!;
    return [host, ...host.shadowRoot!.querySelectorAll("*")].flatMap((element, at) => {
      const style = getComputedStyle(element);
      // A custom property of the page is inherited, and used by nobody.
      const names = [...style].filter((name) => !name.startsWith("--hostile"));
      return names
        .map((name) => `${at} ${element.localName} ${name}: ${style.getPropertyValue(name)}`)
        .toSorted();
    });
  });
}

const HOSTILE = `font: italic 40px/3 fantasy; color: red; background: lime; margin: 9px; padding: 9px; border: 5px solid blue;
  letter-spacing: 9px; word-spacing: 9px; text-transform: uppercase; text-align: center; text-indent: 50px; direction: rtl;
  display: none; visibility: hidden; opacity: .1; position: static; float: left; width: 10px; height: 10px; max-width: 5px;
  transform: rotate(20deg); filter: blur(4px); z-index: -1; pointer-events: none; cursor: wait; white-space: pre; zoom: 2;
  list-style: square; user-select: none; overflow: hidden; clip-path: circle(1px); transition: all 9s; animation: h 9s infinite;
  --hostile: 1; --bg: red; --ink: red; --primary: red; --radius: 99px; --accent: red; --surface: red;`;

test.each([
  ["plain", (css: string) => css],
  ["!important", (css: string) => css.replaceAll(";", " !important;")],
])("%s hostile style sheets change not one computed style", async (_, harden) => {
  const sheet = `<style>@keyframes h { to { opacity: 0; color: red } }
    html { font-size: 60px; ${harden("color: red; font: 60px fantasy; letter-spacing: 8px; text-transform: uppercase; word-break: break-all;")} }
    *, *::before, *::after, parley-chat, body *, [role], button, textarea { ${harden(HOSTILE)} }
    html, body { display: block !important; opacity: 1 !important; visibility: visible !important; width: auto !important;
      height: auto !important; max-width: none !important; transform: none !important; filter: none !important; zoom: 1 !important;
      clip-path: none !important; animation: none !important; overflow: auto !important; pointer-events: auto !important }
    </style>`;
  // One after the other: a page behind another one has no focus to draw.
  const known = new Set(await computedStyles({}));
  const actual = await computedStyles({ head: sheet });
  expect(actual.length).toBeGreaterThan(10_000);
  expect(actual.filter((property) => !known.has(property))).toEqual([]);
});

test("leaves nothing in the page but its element and window.Parley", async () => {
  await using bare = await embed({ serviceUrl: "http://127.0.0.1:9" });
  await using shop = await openPage();
  const trace = ({ page }: EmbeddedPage) =>
    page.evaluate(() => ({
      globals: Object.getOwnPropertyNames(window),
      head: document.head.innerHTML,
      body: [...document.body.attributes].map(({ name }) => name),
      bodyChildren: document.body.children.length,
      root: [...document.documentElement.attributes].map(({ name }) => name),
      rootChildren: [...document.documentElement.children].map(({ localName }) => localName),
      cookies: document.cookie,
      sheets: document.styleSheets.length + document.adoptedStyleSheets.length,
    }));
  const before = await trace(bare);
  await shop.open();
  await shop.say("Hello");
  await shop.log.locator("a").waitFor();
  const after = await trace(shop);
  expect(after.globals.filter((name) => !before.globals.includes(name))).toEqual(["Parley"]);
  expect({ ...after, globals: 0 }).toEqual({
    ...before,
    globals: 0,
    rootChildren: ["head", "body", "parley-chat"],
  });
  await shop.page.evaluate(() => (window.Parley as { destroy: () => void }).destroy());
  const gone = await trace(shop);
  expect(gone.rootChildren).toEqual(["head", "body"]);
  expect(gone.globals).not.toContain("Parley");
});

const STRICT = (origin: string) =>
  `default-src 'none'; script-src ${origin}; connect-src ${origin}; img-src ${origin}; ` +
  "require-trusted-types-for 'script'; trusted-types 'none'; base-uri 'none'; form-action 'none'";

test("works under a strict Content-Security-Policy and Trusted Types, without one violation", async () => {
  await using shop = await openPage({ headers: { "Content-Security-Policy": STRICT(service.url) } });
  const violations: string[] = [];
  await shop.page.exposeFunction("violated", (text: string) => violations.push(text));
  await shop.page.evaluate(() => {
    document.addEventListener("securitypolicyviolation", ({ violatedDirective, blockedURI }) => {
      (window as unknown as { violated: (text: string) => void }).violated(
        `${violatedDirective} ${blockedURI}`,
      );
    });
  });
  await shop.open();
  await shop.say("Hello");
  await shop.log.locator("a").waitFor();
  expect(await shop.panel.evaluate((panel) => getComputedStyle(panel).width)).toBe("384px");
  expect([...violations, ...shop.troubles]).toEqual([]);
});

test("a template works under the same policy", async () => {
  service.config = (_, url) => ({ template: { id: "kiosk", bundleUrl: `${url}/cdn/templates/kiosk.js` } });
  await using shop = await openPage({
    headers: { "Content-Security-Policy": STRICT(service.url) },
    attributes: "data-open",
  });
  await shop.page.locator(".kiosk").waitFor();
  expect(shop.troubles).toEqual([]);
});

test("the demo page needs no more than its own policy grants", async () => {
  await using shop = await openPage();
  const { page } = shop;
  await page.goto(`${service.url}/demo/acme`);
  await page.getByRole("button", { name: "Ask us anything" }).click();
  await shop.input.waitFor();
  await shop.say("Where?");
  await page.locator(".turn", { hasText: "orders.status" }).waitFor();
  expect(await page.locator("#snippet").textContent()).toBe(
    `<script src="${service.url}/cdn/widget.js" data-bot-id="acme" data-token="parley_et_mock" async></script>`,
  );
  expect(shop.troubles).toEqual([]);
});

test("the demo page shows the code of what went wrong", async () => {
  service.chat = () => problem(403, "FORBIDDEN");
  await using shop = await openPage();
  await shop.page.goto(`${service.url}/demo/acme`);
  await shop.open();
  await shop.say("Where?");
  const turn = shop.page.locator(".turn", { hasText: "Where?" });
  expect(await turn.locator("dd").allTextContents()).toEqual([
    "FORBIDDEN",
    "FORBIDDEN.",
    "rq_mock00000000000000000000001",
  ]);
});

test("the attribution is there if the bot requires it, whatever the page rewords", async () => {
  await using shop = await openPage({ attributes: `data-strings='{"poweredBy":"","send":"Go"}'` });
  await shop.open();
  expect(await shop.page.locator(".powered").textContent()).toBe("Powered by Parley");
  await shop.page.getByRole("button", { name: "Go" }).waitFor();
});

test("no attribution where the bot does not require it", async () => {
  service.config = () => ({ poweredByRequired: false });
  await using shop = await openPage();
  await shop.open();
  expect(await shop.page.locator(".powered").count()).toBe(0);
});
