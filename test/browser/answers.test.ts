import { afterAll, beforeAll, beforeEach, expect, setDefaultTimeout, test } from "bun:test";

import { embed } from "../support/browser.ts";
import { answer, type MockService, startMockService } from "../support/mock-service.ts";

setDefaultTimeout(120_000);

let service: MockService;
beforeAll(async () => {
  service = await startMockService();
});
beforeEach(() => {
  service.config = () => ({});
  service.chat = ({ body }) => answer(`You said ${body.input}.`);
});
afterAll(() => service[Symbol.asyncDispose]());

const openPage = (options = {}) => embed({ serviceUrl: service.url, ...options });

const SOURCES = [
  { title: "Tents › How to dry a tent", url: "http://localhost/help/tents" },
  { title: "Boots", url: "https://elsewhere.example/boots" },
  { title: "A leaflet without an address" },
];

test("sources stand under their answer as small links with titles, and open where the page's own links do", async () => {
  service.chat = () => answer("Hang it over a line, as a tent is dried.", { sources: SOURCES });
  await using shop = await openPage();
  await shop.open();
  await shop.say("How do I dry a tent?");
  const list = shop.log.getByRole("list", { name: "Sources" });
  expect(await list.locator("li").allTextContents()).toEqual(SOURCES.map(({ title }) => title));
  const links = await list
    .locator("a")
    .evaluateAll((all) => (all as HTMLAnchorElement[]).map(({ href, target, rel }) => [href, target, rel]));
  expect(links).toEqual(
    SOURCES.slice(0, 2).map(({ url }) => [url, "", "noopener noreferrer nofollow ugc"] as string[]),
  );
  expect(await list.evaluate((node) => getComputedStyle(node).fontSize)).toBe("13px");
});

test("what may help is drawn as cards, without the list that the text holds for other clients", async () => {
  const text = `This may help:\n${SOURCES.map(({ title, url }) => `- [${title}](${url})`).join("\n")}`;
  service.chat = () => answer(text, { sources: SOURCES, mayHelp: true });
  await using shop = await openPage();
  await shop.open();
  await shop.say("Something about tents?");
  const cards = shop.log.locator(".cards li");
  expect(await cards.allTextContents()).toEqual(SOURCES.map(({ title }) => title));
  expect(await shop.log.locator(".answer p").allTextContents()).toEqual(["This may help:"]);
  await shop.page.route("http://localhost/help/tents", (route) => route.fulfill({ body: "Drying tents." }));
  const card = (await cards.first().boundingBox())!;
  expect(card.height).toBeGreaterThanOrEqual(44);
  await shop.page.mouse.click(card.x + card.width - 8, card.y + card.height / 2);
  await shop.page.waitForURL("http://localhost/help/tents");
});

test("links to the page's own site open in the same tab, others in a new one", async () => {
  service.chat = () => answer("[a](/returns) [b](http://help.localhost/x) [c](https://example.com/)");
  await using shop = await openPage();
  await shop.open();
  await shop.say("Links?");
  await shop.log.locator("a").first().waitFor();
  const targets = await shop.log
    .locator("a")
    .evaluateAll((all) => (all as HTMLAnchorElement[]).map(({ target }) => target));
  expect(targets).toEqual(["", "", "_blank"]);
});
