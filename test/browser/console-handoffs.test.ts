import { afterAll, beforeAll, beforeEach, describe, expect, setDefaultTimeout, test } from "bun:test";

import type { Page } from "playwright-core";

import { HANDOFFS, NOW } from "../support/console-data.ts";
import { openConsole } from "../support/console-page.ts";
import { type ConsoleService, startConsoleService } from "../support/console-service.ts";
import { eventually } from "../support/eventually.ts";

setDefaultTimeout(120_000);

let service: ConsoleService;
beforeAll(async () => {
  service = await startConsoleService();
});
beforeEach(() => {
  service.role = "owner";
  service.answers.clear();
  service.calls.length = 0;
});
afterAll(() => service[Symbol.asyncDispose]());

const waiting = (visitors: number) =>
  service.answers.set("GET /handoffs/count", () => Response.json({ waiting: visitors }));
const counts = () => service.calls.filter((call) => call === "GET /handoffs/count").length;
const look = (page: Page, state: "visible" | "hidden") =>
  page.evaluate((now) => {
    Object.defineProperty(document, "visibilityState", { configurable: true, value: now });
    document.dispatchEvent(new Event("visibilitychange"));
  }, state);

describe("who waits for a person", () => {
  test.each([
    ["a desk", { width: 1280, height: 800 }],
    ["a rail", { width: 900, height: 800 }],
    ["a phone", { width: 390, height: 800 }],
  ])(
    "is counted in the navigation of %s, in the window's title, and first on Overview",
    async (_, viewport) => {
      waiting(3);
      await using open = await openConsole(service.url, "/", { viewport });
      const { page } = open;
      const count = page.getByRole("navigation", { name: "Work" }).getByText("3 visitors waiting");
      await count.waitFor();
      const box = (await count.boundingBox())!;
      expect(box.width).toBeGreaterThan(8);
      expect(box.x + box.width).toBeLessThanOrEqual(viewport.width);
      expect(await page.title()).toBe("(3) Overview · Parley");
      expect(await page.locator(".body > :first-child").textContent()).toContain(
        "3 visitors wait for a person",
      );
      await page.getByRole("link", { name: "Go to the hand-offs" }).click();
      await page.getByRole("heading", { name: "Hand-offs" }).waitFor();
      expect(await page.title()).toBe("(3) Hand-offs · Parley");
      expect(open.troubles).toEqual([]);
    },
  );

  test("is asked for again every few seconds, seldom where nobody looks, and no more after a day of that", async () => {
    waiting(1);
    await using open = await openConsole(service.url, "/audit");
    const { page } = open;
    await page.clock.install();
    await open.open("/tokens");
    await eventually(async () => expect(await page.title()).toBe("(1) Tokens · Parley"));
    waiting(2);
    await page.clock.runFor(5000);
    await eventually(async () => expect(await page.title()).toBe("(2) Tokens · Parley"));
    await look(page, "hidden");
    const before = counts();
    await page.clock.runFor(30_000);
    expect(counts()).toBe(before);
    waiting(0);
    await page.clock.runFor(40_000);
    await eventually(async () => expect(await page.title()).toBe("Tokens · Parley"));
    await page.clock.fastForward(9 * 3600_000);
    const late = counts();
    await page.clock.runFor(120_000);
    expect(counts()).toBe(late);
    waiting(4);
    await look(page, "visible");
    await eventually(async () => expect(await page.title()).toBe("(4) Tokens · Parley"));
  });
});

describe("hand-offs", () => {
  const titles = (page: Page) => page.locator(".row-link .title").allTextContents();

  test("are listed with those who wait longest first, who is being answered above; the others apart", async () => {
    await using open = await openConsole(service.url, "/handoffs");
    const { page } = open;
    await page.locator(".row-link").first().waitFor();
    expect(await titles(page)).toEqual(["Live Lina", "Waiting Walt", "late@example.com"]);
    await page.getByRole("link", { name: "Given back" }).click();
    await eventually(async () => expect(await titles(page)).toEqual(["Given-back Greta"]));
    expect(new URL(page.url()).search).toBe("?show=back");
    await page.getByRole("link", { name: "Closed" }).click();
    await eventually(async () => expect(await titles(page)).toEqual(["Closed Carl"]));
  });

  test("beyond a page are read on, and stay", async () => {
    const [first, second] = [HANDOFFS[2]!, HANDOFFS[4]!];
    service.answers.set("GET /handoffs", ({ url }) => {
      const query = new URL(url).searchParams;
      if (query.get("waiting") !== "1") return Response.json({ items: [], next: null });
      if (query.get("cursor") === "on") return Response.json({ items: [second], next: null });
      return Response.json({ items: [first], next: "on" });
    });
    await using open = await openConsole(service.url, "/handoffs");
    const { page } = open;
    await page.getByRole("button", { name: "More" }).click();
    await eventually(async () => expect(await titles(page)).toEqual(["Waiting Walt", "late@example.com"]));
    await page.getByRole("button", { name: "More" }).waitFor({ state: "detached" });
  });

  test("keep line breaks, have the visitor on the left and the operator on the right, each with its time below", async () => {
    await using open = await openConsole(service.url, "/handoffs/ho_4", {
      viewport: { width: 1280, height: 800 },
    });
    const { page } = open;
    const log = page.getByRole("log", { name: "What is said" });
    const place = async (text: string) => {
      const bubble = log.locator(".bubble", { hasText: text });
      const time = bubble.locator("xpath=..").locator(".meta");
      return {
        bubble: (await bubble.boundingBox())!,
        time: (await time.boundingBox())!,
        all: (await log.boundingBox())!,
      };
    };
    await log.locator(".bubble").nth(1).waitFor();
    expect(await log.locator(".bubble").first().innerText()).toBe("my parcel\nis blue");
    const theirs = await place("my parcel");
    const ours = await place("One moment.");
    expect(theirs.bubble.height).toBeGreaterThan(45);
    expect(theirs.bubble.x).toBe(theirs.all.x);
    expect(theirs.time.x).toBe(theirs.bubble.x);
    const right = ({ x, width }: { x: number; width: number }) => Math.round(x + width);
    expect(right(ours.bubble)).toBe(right(ours.all));
    expect(right(ours.time)).toBe(right(ours.bubble));
    expect(theirs.all.width).toBeGreaterThan(600);
  });

  test("say what webhooks and e-mails carry, and show what was said to the bot on the same page", async () => {
    await using open = await openConsole(service.url, "/handoffs/ho_3");
    const { page } = open;
    const facts = page.locator(".left-behind");
    await facts.waitFor();
    expect(await facts.innerText()).toMatch(/line one\nline two/);
    expect(await facts.innerText()).toMatch(/In webhooks and e-mails\s+with the conversation/);
    await page.getByText("What was said to the bot: 3 messages").click();
    const said = page.getByRole("region", { name: "What was said to the bot" });
    await said.getByText("where is my order?").waitFor();
    expect(await said.locator("strong").first().textContent()).toBe("shipping e-mail");
    await open.open("/handoffs/ho_5");
    await facts.waitFor();
    expect(await facts.innerText()).toMatch(/In webhooks and e-mails\s+without the conversation/);
    expect(open.troubles).toEqual([]);
  });

  test("that are given back leave the list and the count, and say since when", async () => {
    let isBack = false;
    const live = HANDOFFS[3]!;
    const { operator: _, liveUntil: __, ...rest } = live;
    const row = () =>
      isBack
        ? { ...rest, state: "open", updatedAt: NOW, givenBackAt: NOW, mayTake: true }
        : { ...live, mayTake: true };
    service.answers.set("GET /handoffs/ho_4", () => Response.json(row()));
    service.answers.set("POST /handoffs/ho_4/release", () => {
      isBack = true;
      return Response.json(row());
    });
    await using open = await openConsole(service.url, "/handoffs/ho_4");
    const { page } = open;
    const asked = counts();
    await page.getByRole("button", { name: "Give back to the bot" }).click();
    await page.getByText(/It stands under “Given back”/).waitFor();
    await page.locator(".pane-head").getByText("Given back", { exact: true }).waitFor();
    await page.getByRole("button", { name: "Take over" }).waitFor();
    await eventually(() => expect(counts()).toBeGreaterThan(asked));
  });
});
