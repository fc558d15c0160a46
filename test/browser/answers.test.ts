import { afterAll, beforeAll, beforeEach, expect, setDefaultTimeout, test } from "bun:test";

import type { Page } from "playwright-core";

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
  await list.waitFor();
  expect(await list.locator("li").allTextContents()).toEqual(SOURCES.map(({ title }) => title));
  const links = await list
    .locator("a")
    .evaluateAll((all) => (all as HTMLAnchorElement[]).map(({ href, target, rel }) => [href, target, rel]));
  expect(links).toEqual(
    SOURCES.slice(0, 2).map(({ url }) => [url, "", "noopener noreferrer nofollow ugc"] as string[]),
  );
  expect(await list.evaluate((node) => getComputedStyle(node).fontSize)).toBe("13px");
});

const NEXT = [
  { label: "Drying boots", input: "how do I dry boots" },
  { label: "Prices", input: "Prices" },
];

test("what may be asked next is a named list of buttons that the keyboard reaches, and goes while something is written", async () => {
  service.chat = () => answer("Hang it over a line.", { sources: SOURCES, next: NEXT });
  await using shop = await openPage();
  await shop.open();
  await shop.say("How do I dry a tent?");
  const chips = shop.log.getByRole("list", { name: "Suggested questions" }).getByRole("button");
  expect(await chips.allTextContents()).toEqual(NEXT.map(({ label }) => label));
  await shop.input.fill("and what");
  await chips.first().waitFor({ state: "hidden" });
  await shop.input.fill("");
  await chips.first().waitFor();
  await chips.first().focus();
  await shop.page.keyboard.press("Enter");
  await shop.log.getByText("how do I dry boots").waitFor();
  expect(service.calls.at(-1)!.body.input).toBe("how do I dry boots");
});

test("what the bot can do stands as buttons in place of the list in its text, and stays to be read", async () => {
  const list = NEXT.map(({ label }) => `- ${label}`).join("\n");
  service.chat = ({ body }) =>
    body.input === "quarks"
      ? answer(`I have nothing on that. I can help you with this:\n${list}`, {
          capabilityAllowed: false,
          enforcementReason: "no_intent_match",
          next: NEXT,
        })
      : answer("Over a line.");
  await using shop = await openPage();
  await shop.open();
  await shop.say("quarks");
  const first = shop.log.locator(".answer").first();
  await first.getByRole("button").first().waitFor();
  expect(await first.locator("p").allTextContents()).toEqual([
    "I have nothing on that. I can help you with this:",
  ]);
  expect(await first.getByRole("button").allTextContents()).toEqual(NEXT.map(({ label }) => label));
  await first.getByRole("button").first().click();
  await shop.log.getByText("Over a line.").waitFor();
  expect(await first.locator(".pills button:disabled").count()).toBe(2);
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

test("the bot has a face: picture, tagline, legal line, label and place of the launcher, font and density", async () => {
  service.config = () => ({
    avatarUrl: "https://pictures.test/bot.svg",
    tagline: "Replies at once",
    legal: "Automated, says [Acme](https://acme.example/privacy).",
    launcher: { label: "Ask us" },
    theme: { offsetX: 60, offsetY: 40, fontFamily: '"Georgia", serif', density: "compact" },
  });
  await using shop = await openPage({
    prepare: (page: Page) =>
      page.route("https://pictures.test/*", (route) =>
        route.fulfill({ contentType: "image/svg+xml", body: '<svg xmlns="http://www.w3.org/2000/svg"/>' }),
      ),
  });
  await shop.launcher.getByText("Ask us").waitFor();
  // Who speaks to the browser says what is to be read.
  await shop.page.getByRole("button", { name: "Ask us: Acme Support", exact: true }).waitFor();
  const launcher = (await shop.launcher.boundingBox())!;
  expect([launcher.x + launcher.width, launcher.y + launcher.height]).toEqual([1280 - 60, 800 - 40]);
  expect(launcher.width).toBeGreaterThan(100);
  await shop.open();
  expect(await shop.page.locator(".fresh img.avatar").getAttribute("src")).toBe(
    "https://pictures.test/bot.svg",
  );
  await shop.panel.getByText("Replies at once").waitFor();
  await shop.panel.locator(".legal").getByRole("link", { name: "Acme" }).waitFor();
  expect(await shop.input.evaluate((input) => getComputedStyle(input).fontFamily)).toContain("Georgia");
  await shop.say("one");
  await shop.log.getByText("You said one.").waitFor();
  expect(
    await shop.log
      .locator(".turn")
      .first()
      .evaluate((turn) => getComputedStyle(turn).marginTop),
  ).toBe("14px");
});

test("a bot without a picture, or whose picture does not come, has its initials, and says that it is automated", async () => {
  service.config = () => ({ avatarUrl: "http://127.0.0.1:9/none.png" });
  await using shop = await openPage({ root: 'lang="de"' });
  await shop.open();
  await shop.page.locator("span.avatar", { hasText: "AS" }).waitFor();
  await shop.panel.getByText("Sie schreiben mit einem automatischen Assistenten.").waitFor();
});

test("answers and code are copied as they are read, and the button says so", async () => {
  service.chat = () =>
    answer("It is **on its way**.\n\n```\nnpm start\n```", { sources: SOURCES.slice(0, 1) });
  await using shop = await openPage({
    context: { permissions: ["clipboard-read", "clipboard-write"] },
  });
  await shop.open();
  await shop.say("one");
  const copy = shop.log.getByRole("button", { name: "Copy" });
  await copy.last().click();
  await shop.page.getByRole("status").getByText("Copied").waitFor({ state: "attached" });
  const copied = () => shop.page.evaluate(() => navigator.clipboard.readText());
  expect(await copied()).toBe("It is on its way.\n\nnpm start");
  await copy.first().click();
  await shop.page.waitForFunction(async () => (await navigator.clipboard.readText()) === "npm start");
});

test("messages have the time on hover, and days stand between those of different days", async () => {
  await using shop = await openPage();
  await shop.open();
  await shop.say("one");
  await shop.log.getByText("You said one.").waitFor();
  expect(await shop.page.locator(".day").count()).toBe(0);
  const tools = shop.log.locator(".turn").first().locator(".tools");
  const opacity = () => tools.evaluate((node) => getComputedStyle(node).opacity);
  await shop.page.mouse.move(5, 5);
  expect(await opacity()).toBe("0");
  await shop.page.locator(".question").hover();
  expect(await opacity()).toBe("1");
  expect(await tools.textContent()).toMatch(/^\d+:\d\d\s[AP]M$/);
  await shop.page.evaluate(() => {
    const kept = JSON.parse(localStorage.getItem("parley:acme")!) as { messages: { at: number }[] };
    kept.messages[0]!.at -= 24 * 60 * 60 * 1000;
    localStorage.setItem("parley:acme", JSON.stringify(kept));
  });
  await shop.reload();
  await shop.open();
  expect(await shop.page.locator(".day").allTextContents()).toEqual(["Yesterday", "Today"]);
});

test("e-mail addresses and phone numbers are links to write and to call", async () => {
  service.chat = () => answer("Write to help@acme.example or call +49 30 901820.");
  await using shop = await openPage();
  await shop.open();
  await shop.say("one");
  await shop.log.locator("a").first().waitFor();
  expect(await shop.log.locator("a").evaluateAll((all) => all.map((a) => a.getAttribute("href")))).toEqual([
    "mailto:help@acme.example",
    "tel:+4930901820",
  ]);
});
