import { afterAll, beforeAll, beforeEach, describe, expect, setDefaultTimeout, test } from "bun:test";

import type { Locator, Page } from "playwright-core";

import { serveMany } from "../support/console-many.ts";
import { openConsole } from "../support/console-page.ts";
import { type ConsoleService, startConsoleService } from "../support/console-service.ts";
import { eventually } from "../support/eventually.ts";

setDefaultTimeout(180_000);

let service: ConsoleService;
beforeAll(async () => {
  service = await startConsoleService();
});
beforeEach(() => {
  service.role = "owner";
  service.answers.clear();
  service.calls.length = 0;
  serveMany(service);
});
afterAll(() => service[Symbol.asyncDispose]());

const WIDTHS = [390, 1024, 1440, 1920];
const SCHEMES = { 1: "light", 2: "dark" } as const;

/** Pages with charts, panes, long lists and dialogs, and what is there once each is drawn. */
const PAGES: readonly (readonly [path: string, until: string])[] = [
  ["/", ".uplot canvas"],
  ["/improve/ig_0", ".choice"],
  ["/conversations/cv_sample00000000000001", ".steps"],
  ["/handoffs/ho_4", "[role=log] .bubble"],
  ["/tokens", ".body table"],
  ["/tokens?new=1", "dialog[open]"],
  ["/deliveries", ".body table"],
  ["/audit", ".body table"],
  ["/bots", ".body table"],
  ["/bots/acme-support/theme", "iframe"],
  ["/try/acme-support", ".composer"],
];

const sideways = (page: Page) =>
  page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);

async function boxOf(locator: Locator) {
  const box = await locator.boundingBox();
  expect(box).not.toBeNull();
  return { ...box!, right: box!.x + box!.width, bottom: box!.y + box!.height };
}

describe.each([1, 2] as const)("at device scale %d, with 211 bots and long lists", (deviceScaleFactor) => {
  const context = { deviceScaleFactor, colorScheme: SCHEMES[deviceScaleFactor] };

  test("the chart of the overview stays within its frame at every width", async () => {
    for (const width of WIDTHS) {
      await using open = await openConsole(service.url, "/", {
        ...context,
        viewport: { width, height: 900 },
      });
      const { page } = open;
      await page.locator(".uplot canvas").nth(1).waitFor();
      for (const band of await page.locator(".uplot").all()) {
        const [frame, canvas] = [await boxOf(band), await boxOf(band.locator("canvas"))];
        expect(canvas.right).toBeLessThanOrEqual(frame.right + 1);
        expect(canvas.bottom).toBeLessThanOrEqual(frame.bottom + 1);
      }
      expect(open.troubles).toEqual([]);
    }
  });

  test.each(PAGES)("%s scrolls sideways at no width", async (path, until) => {
    await using open = await openConsole(service.url, path, context);
    const { page } = open;
    for (const width of WIDTHS) {
      await page.setViewportSize({ width, height: 900 });
      await page.locator(until).first().waitFor();
      await eventually(async () => expect([width, await sideways(page)]).toEqual([width, 0]));
    }
    expect(open.troubles).toEqual([]);
  });

  test.each([
    ["/improve", "[data-group]", ".choice", "Improve"],
    ["/conversations", "[data-row]", ".transcript", "Conversations"],
    ["/handoffs", ".row-link", ".left-behind", "Hand-offs"],
  ])(
    "in %s, what is chosen far down a list is shown from its head beside it",
    async (path, rows, shown, title) => {
      for (const width of WIDTHS) {
        await using open = await openConsole(service.url, path, {
          ...context,
          viewport: { width, height: 900 },
        });
        const { page } = open;
        const row = page.locator(rows).nth(45);
        await row.scrollIntoViewIfNeeded();
        const address = (await row.getAttribute("href"))!;
        await row.click();
        await page.waitForURL((url) => url.pathname === address.split("?")[0]);
        await page.locator(shown).waitFor({ state: "attached" });
        const head = page.locator(".pane-head").first();
        await eventually(async () => expect((await boxOf(head)).y).toBeWithin(0, 400));
        if (width > 640) {
          expect((await boxOf(row)).y).toBeWithin(0, 900);
          expect((await boxOf(page.getByRole("heading", { level: 1, name: title }))).y).toBeWithin(0, 100);
          expect(await page.evaluate(() => document.documentElement.scrollHeight)).toBe(900);
        } else {
          await page.getByRole("link", { name: /^←/ }).click();
          await eventually(async () => expect((await boxOf(row)).y).toBeWithin(0, 900));
        }
        expect(open.troubles).toEqual([]);
      }
    },
  );
});

describe("with 211 bots", () => {
  const inWindow = async (page: Page, target: Locator) => {
    const { y, bottom } = await boxOf(target);
    return y >= 0 && bottom <= page.viewportSize()!.height;
  };

  test("tokens, audit and signing out are in reach, and a bot is found by a few letters", async () => {
    for (const height of [600, 900]) {
      await using open = await openConsole(service.url, "/", { viewport: { width: 1440, height } });
      const { page } = open;
      const side = page.locator(".side");
      const filter = side.getByRole("searchbox", { name: "Filter bots" });
      await filter.waitFor();
      for (const name of ["Tokens", "Audit", "Sign out"]) {
        const target = side.getByText(name, { exact: true });
        await target.scrollIntoViewIfNeeded();
        expect([name, await inWindow(page, target)]).toEqual([name, true]);
      }
      expect(await side.evaluate(({ scrollHeight }) => scrollHeight)).toBeLessThan(950);
      await filter.fill("acme");
      const found = page.locator(".nav-scroll a");
      await eventually(async () => expect(await found.allTextContents()).toEqual(["Acme Support"]));
      await filter.fill("zebra");
      await side.getByText("No bot has this name.").waitFor();
      expect(open.troubles).toEqual([]);
    }
  });

  test("all of them, and a new one, are a click away; the list is searched", async () => {
    await using open = await openConsole(service.url, "/health");
    const { page } = open;
    const side = page.locator(".side");
    await side.getByRole("link", { name: "All bots" }).click();
    await page.getByRole("heading", { level: 1, name: "Bots" }).waitFor();
    await page.getByRole("searchbox", { name: "Search bots" }).fill("customer 21,");
    await eventually(async () => expect(await page.locator("tbody tr").count()).toBe(1));
    await side.getByRole("link", { name: "New bot…" }).click();
    await page.getByRole("dialog", { name: "New bot" }).waitFor();
    await page.keyboard.press("Escape");
    await page.waitForURL(/\/bots$/);
    service.role = "viewer";
    await open.open("/bots?new=1");
    await side.getByRole("link", { name: "All bots" }).waitFor();
    expect([await side.getByText("New bot…").count(), await page.getByRole("dialog").count()]).toEqual([
      0, 0,
    ]);
  });

  test("a token's bots are searched, and those that are chosen stay chosen and named", async () => {
    await using open = await openConsole(service.url, "/tokens?new=1");
    const { page } = open;
    const dialog = page.getByRole("dialog", { name: "New token" });
    const search = dialog.getByRole("searchbox", { name: "Search bots" });
    await search.fill("acme");
    await dialog.getByLabel("Acme Support").check();
    await search.fill("Customer 77");
    await dialog.getByLabel("Customer 77").check();
    await dialog.getByText("Selected: Acme Support, Customer 77.").waitFor();
    const make = dialog.getByRole("button", { name: "Create the token" });
    await search.fill("");
    expect(await inWindow(page, make)).toBe(true);
    const request = page.waitForRequest((asked) => asked.method() === "POST");
    await make.click();
    expect((await request).postDataJSON()).toMatchObject({ bots: ["acme-support", "customer-77"] });
  });

  test("a token for all of them names a few, and the others when asked", async () => {
    await using open = await openConsole(service.url, "/tokens");
    const { page } = open;
    const few = page.getByText(/and 208 more/);
    await few.waitFor();
    const row = page.locator("tr", { has: few });
    expect((await boxOf(row)).height).toBeLessThan(120);
    await few.click();
    await row.getByText(/Customer 210/).waitFor();
  });

  test("a long name of a bot ends in an ellipsis within the sidebar, and in a list it has lines of its own", async () => {
    await using open = await openConsole(service.url, "/");
    const { page } = open;
    const name = page.locator(".nav-scroll .nav-link > span").first();
    const [box, side] = [await boxOf(name), await boxOf(page.locator(".side"))];
    expect(box.right).toBeLessThan(side.right);
    expect(await name.evaluate((node) => node.scrollWidth - node.clientWidth)).toBeGreaterThan(0);
    await page.setViewportSize({ width: 390, height: 844 });
    await open.open("/tokens?new=1");
    const list = page.locator(".checks-scroll");
    await list.locator("label").first().waitFor();
    const [long, next] = [list.locator("bdi").nth(0), list.locator("bdi").nth(1)];
    expect((await boxOf(long)).y).toBeGreaterThanOrEqual((await boxOf(list)).y);
    expect((await boxOf(long)).bottom).toBeLessThanOrEqual((await boxOf(next)).y);
  });

  test("what can be done with a token, a delivery and an operator is in sight on a tablet", async () => {
    await using open = await openConsole(service.url, "/tokens", { viewport: { width: 768, height: 900 } });
    for (const [path, name] of [
      ["/tokens", "Revoke…"],
      ["/deliveries", "Send again"],
      ["/operators", "Remove…"],
    ]) {
      await open.open(path!);
      const button = open.page.getByRole("button", { name: name! }).first();
      await button.waitFor();
      expect((await boxOf(button)).right).toBeLessThanOrEqual(768);
      const cells = open.page.locator("tbody tr").first().locator("th, td");
      const narrowest = await cells.evaluateAll((all) => Math.min(...all.map((cell) => cell.clientWidth)));
      expect(narrowest).toBeGreaterThan(40);
    }
  });

  test.each([768, 1024, 1440])("at %d px a bot's few words stand on one line", async (width) => {
    await using open = await openConsole(service.url, "/bots", { viewport: { width, height: 900 } });
    const lines = await open.page
      .getByText("a file")
      .first()
      .evaluate((cell) => {
        const text = document.createRange();
        text.selectNodeContents(cell);
        return text.getClientRects().length;
      });
    expect(lines).toBe(1);
  });

  test("nothing that is said shows below the composer of a hand-off", async () => {
    for (const width of [1024, 1440, 1920]) {
      await using open = await openConsole(service.url, "/handoffs/ho_4", {
        viewport: { width, height: 900 },
      });
      const foot = open.page.locator(".chat-foot");
      await foot.waitFor();
      await eventually(async () => expect((await boxOf(foot)).bottom).toBe(900));
    }
  });

  test("how many visitors wait stands on one line, in the rail and at the thumb", async () => {
    for (const width of [390, 1024]) {
      await using open = await openConsole(service.url, "/bots", { viewport: { width, height: 844 } });
      const badge = open.page.locator(".nav .count.now");
      await badge.waitFor();
      const { height, x, right } = await boxOf(badge);
      expect(height).toBeLessThan(20);
      expect(x).toBeGreaterThanOrEqual(0);
      expect(right).toBeLessThanOrEqual((await boxOf(open.page.locator(".side"))).right);
    }
  });
});
