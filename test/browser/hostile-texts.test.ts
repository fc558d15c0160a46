import { afterAll, beforeAll, expect, setDefaultTimeout, test } from "bun:test";

import { embed, type EmbeddedPage } from "../support/browser.ts";
import { HOSTILE_TEXTS } from "../support/hostile-texts.ts";
import { answer, type MockService, startMockService } from "../support/mock-service.ts";

setDefaultTimeout(120_000);

let service: MockService;
beforeAll(async () => {
  service = await startMockService();
});
afterAll(() => service[Symbol.asyncDispose]());

const SAFE_ELEMENTS = new Set(
  (
    "div section header h2 bdi button svg path p ul ol li span form textarea strong em del code pre br hr a blockquote " +
    "table thead tbody tr th td i time b"
  ).split(" "),
);

/** A link to the page's own site opens where the page's own links do. */
const isOwn = (href: string) => new URL(href).hostname === "localhost";

/** What an attack would leave behind. */
async function harm({ page }: EmbeddedPage): Promise<string[]> {
  const found = await page.evaluate(() => {
    const elements = [...document.querySelector("parley-chat")!.shadowRoot!.querySelectorAll("*")];
    return {
      pwned: "pwned" in window,
      elements: elements.map(({ localName }) => localName),
      handlers: elements.flatMap(({ attributes }) =>
        [...attributes].map(({ name }) => name).filter((name) => name.startsWith("on")),
      ),
      links: elements
        .filter((element) => element instanceof HTMLAnchorElement)
        .map(({ href, rel, target }) => ({ href, rel, target })),
    };
  });
  return [
    ...(found.pwned ? ["a script ran"] : []),
    ...found.elements.filter((name) => !SAFE_ELEMENTS.has(name)),
    ...found.handlers,
    ...found.links.filter(({ href }) => !/^(https?|mailto|tel):/.test(href)).map(({ href }) => href),
    ...found.links
      .filter(({ rel, target, href }) => !rel.includes("noopener") || (target !== "_blank" && !isOwn(href)))
      .map(({ href }) => `unguarded ${href}`),
  ];
}

/** Requests that leave for anywhere but the page and the service. */
function watchRequests({ page, url }: EmbeddedPage): string[] {
  const foreign: string[] = [];
  page.on("request", (request) => {
    if (!request.url().startsWith(service.url) && !request.url().startsWith(url)) foreign.push(request.url());
  });
  return foreign;
}

test(`${HOSTILE_TEXTS.length} hostile answers run nothing, link nowhere dangerous and fetch nothing`, async () => {
  expect(HOSTILE_TEXTS.length).toBeGreaterThanOrEqual(60);
  service.config = () => ({});
  service.chat = ({ body }) => answer(`${HOSTILE_TEXTS[Number(body.input)]!}\n\nEnd ${body.input}.`);
  await using shop = await embed({ serviceUrl: service.url });
  const foreign = watchRequests(shop);
  await shop.open();
  for (const at of HOSTILE_TEXTS.keys()) {
    await shop.say(String(at));
    await shop.log.getByText(`End ${at}.`).waitFor();
    expect([HOSTILE_TEXTS[at], await harm(shop)]).toEqual([HOSTILE_TEXTS[at], []]);
  }
  expect(foreign).toEqual([]);
});

test("the same texts as the visitor's messages are shown as they were written", async () => {
  let asked = 0;
  service.chat = () => answer(`Noted ${(asked += 1)}.`);
  await using shop = await embed({ serviceUrl: service.url });
  await shop.open();
  const texts = HOSTILE_TEXTS.filter((hostile) => !/[\n\0]/.test(hostile)).slice(0, 20);
  for (const [at, text] of texts.entries()) {
    await shop.say(text);
    // Nothing is sent while an answer is awaited.
    await shop.log.getByText(`Noted ${at + 1}.`).waitFor();
    expect(await shop.page.locator(".question bdi").last().textContent()).toBe(text);
  }
  expect(await harm(shop)).toEqual([]);
});

test("the same texts as name, greeting and questions of the bot are text", async () => {
  service.config = (botId) => {
    const hostile = HOSTILE_TEXTS[Number(botId)]!;
    return {
      botName: hostile,
      welcomeMessage: hostile,
      suggestedQuestions: [{ id: hostile, text: hostile, order: 1 }],
      theme: { primaryColor: "#336699" },
    };
  };
  for (const [at, hostile] of HOSTILE_TEXTS.entries()) {
    if (at % 4 !== 0) continue;
    await using shop = await embed({ serviceUrl: service.url, botId: String(at) });
    const foreign = watchRequests(shop);
    await shop.open();
    expect(await shop.page.locator("h2 bdi").textContent()).toBe(hostile.replaceAll("\0", "\0"));
    expect(await shop.page.locator(".pills button").textContent()).toBe(hostile);
    expect([hostile, await harm(shop), foreign]).toEqual([hostile, [], []]);
  }
});

test("an image is fetched when the visitor asks for it, and without a referrer", async () => {
  service.chat = () => answer("Here: ![a map](https://images.test/map.png)");
  service.config = () => ({});
  await using shop = await embed({ serviceUrl: service.url });
  const requests: string[] = [];
  await shop.page.route("https://images.test/**", async (route) => {
    requests.push(route.request().headers()["referer"] ?? "no referrer");
    await route.fulfill({ contentType: "image/svg+xml", body: '<svg xmlns="http://www.w3.org/2000/svg"/>' });
  });
  await shop.open();
  await shop.say("Where?");
  const link = shop.log.getByRole("link", { name: "Show image: a map" });
  await link.waitFor();
  expect(requests).toEqual([]);
  await link.click();
  await shop.log.getByRole("img", { name: "a map" }).waitFor();
  expect(requests).toEqual(["no referrer"]);
});
