import { afterAll, beforeAll, beforeEach, describe, expect, setDefaultTimeout, test } from "bun:test";

import type { Page } from "playwright-core";

import { HANDOFFS, NOW, sessionOf } from "../support/console-data.ts";
import { openConsole } from "../support/console-page.ts";
import { apiProblem, type ConsoleService, startConsoleService } from "../support/console-service.ts";
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
        "3 visitors are waiting for a person",
      );
      await page.getByRole("link", { name: "Go to the hand-offs" }).click();
      await page.getByRole("heading", { name: "Hand-offs" }).waitFor();
      await eventually(async () => expect(await page.title()).toBe("(3) Hand-offs · Parley"));
      expect(open.troubles).toEqual([]);
    },
  );

  test("and of whom a notice failed is told on Hand-offs, with a way to the deliveries", async () => {
    service.answers.set("GET /handoffs/count", () => Response.json({ waiting: 1, failedNotices: 2 }));
    await using open = await openConsole(service.url, "/handoffs");
    const { page } = open;
    await page.getByRole("link", { name: "2 notices by webhook or e-mail failed" }).click();
    await page.getByRole("heading", { name: "Deliveries" }).waitFor();
    expect(new URL(page.url()).search).toBe("?event=handoff.requested");
    expect(open.troubles).toEqual([]);
  });

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
    const log = page.getByRole("log", { name: "Conversation" });
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
    expect(await facts.innerText()).toMatch(/Conversation\s+sent with the notices to your team/);
    await page.getByText("Messages with the bot: 3 messages").click();
    const said = page.getByRole("region", { name: "Messages with the bot" });
    await said.getByText("where is my order?").waitFor();
    expect(await said.locator("strong").first().textContent()).toBe("shipping e-mail");
    await open.open("/handoffs/ho_5");
    await facts.waitFor();
    expect(await facts.innerText()).toMatch(/Conversation\s+not shared by the visitor/);
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
    await page.getByText(/The hand-off stays under “Given back”/).waitFor();
    await page.locator(".pane-head").getByText("Given back", { exact: true }).waitFor();
    await page.getByRole("button", { name: "Take over" }).waitFor();
    await eventually(() => expect(counts()).toBeGreaterThan(asked));
  });

  test("that are taken over have the focus in the reply field; what sends it stands on its button", async () => {
    const [waits] = HANDOFFS;
    let state = "open";
    service.answers.set(`GET /handoffs/${waits!.id}`, () =>
      Response.json({
        ...waits,
        state,
        mayTake: true,
        ...(state === "live" && { operator: sessionOf("owner").operator.name }),
      }),
    );
    service.answers.set(`POST /handoffs/${waits!.id}/take`, () => {
      state = "live";
      return new Response(null, { status: 204 });
    });
    await using open = await openConsole(service.url, `/handoffs/${waits!.id}`);
    const { page } = open;
    await page.getByRole("button", { name: "Take over", exact: true }).click();
    const field = page.getByLabel("Write to the visitor");
    await eventually(async () =>
      expect(await field.evaluate((it) => it === document.activeElement)).toBe(true),
    );
    await page.getByRole("button", { name: /^Send (Ctrl|⌘) ↵$/ }).waitFor();
    await page.getByText("You have joined", { exact: true }).first().waitFor();
    await page.getByRole("link", { name: "Notices to your team" }).waitFor();
  });

  test("that a colleague has taken first say who that is, and are asked for once however often the button is pressed", async () => {
    const open = HANDOFFS.find(({ state }) => state === "open")!;
    const path = `/handoffs/${open.id}`;
    const answer = Promise.withResolvers<void>();
    let isTaken = false;
    const live = { ...open, state: "live", operator: "bea@acme", liveUntil: NOW + 900_000 };
    service.answers.set(`GET ${path}`, () => Response.json({ ...(isTaken ? live : open), mayTake: true }));
    service.answers.set(`POST ${path}/take`, async (request) => {
      if (new URL(request.url).searchParams.get("from") === "bea@acme") return Response.json(live);
      await answer.promise;
      isTaken = true;
      return apiProblem(409, "CONFLICT", "bea@acme has taken this conversation over.");
    });
    await using console = await openConsole(service.url, path);
    const { page } = console;
    const take = page.getByRole("button", { name: "Take over", exact: true });
    await take.evaluate((button: HTMLButtonElement) => {
      button.click();
      button.click();
    });
    const taken = () => service.calls.filter((call) => call === `POST ${path}/take`).length;
    await eventually(() => taken() > 0 && take.isDisabled());
    answer.resolve();
    await page.getByText("bea@acme has already taken over this conversation.").waitFor();
    expect(taken()).toBe(1);
    await page.getByRole("button", { name: "Take over from bea@acme" }).click();
    await page.getByText(/You have joined\./).waitFor();
    expect(taken()).toBe(2);
  });
});

describe.each([1, 2])("a reply to a visitor, at device scale %d,", (deviceScaleFactor) => {
  const WRITTEN = "It is in the depot, and comes tomorrow.";
  const path = "/handoffs/ho_4";
  const live = HANDOFFS.find(({ id }) => id === "ho_4")!;
  const field = (page: Page) => page.getByLabel("Write to the visitor");
  const openPane = (at = path) => openConsole(service.url, at, { deviceScaleFactor });

  test("outlives a lease that ends, and is sent once the conversation is taken over again", async () => {
    const { operator: _, liveUntil: __, ...rest } = live;
    let state = "live";
    const row = () => (state === "live" ? { ...live, mayTake: true } : { ...rest, state, mayTake: true });
    const sent: string[] = [];
    service.answers.set(`GET ${path}`, () => Response.json(row()));
    service.answers.set(`POST ${path}/take`, () => {
      state = "live";
      return Response.json(row());
    });
    service.answers.set(`POST ${path}/messages`, async (request) => {
      const { text } = (await request.json()) as { text: string };
      sent.push(text);
      return Response.json({ number: 4, at: NOW, kind: "operator", text, name: "ops@acme" });
    });
    await using open = await openPane();
    const { page } = open;
    await field(page).fill(WRITTEN);
    state = "open";
    await page.getByText("Take over again to send this.").waitFor();
    expect(await field(page).inputValue()).toBe(WRITTEN);
    await field(page).press("Control+Enter");
    expect(sent).toEqual([]);
    await page.getByRole("button", { name: "Take over again" }).click();
    await page.getByRole("button", { name: "Send" }).click();
    await eventually(async () => expect([sent, await field(page).inputValue()]).toEqual([[WRITTEN], ""]));
    expect(open.troubles).toEqual([]);
  });

  test("outlives another row, a reload and a session that ends; nobody else at this page gets it", async () => {
    await using open = await openPane();
    const { page } = open;
    await field(page).fill(WRITTEN);
    await page.locator(".row-link", { hasText: "Waiting Walt" }).click();
    await page.waitForURL(/ho_3/);
    await field(page).waitFor({ state: "detached" });
    await page.locator(".row-link", { hasText: "Live Lina" }).click();
    await eventually(async () => expect(await field(page).inputValue()).toBe(WRITTEN));
    await open.open(path);
    await eventually(async () => expect(await field(page).inputValue()).toBe(WRITTEN));
    const signIn = async () => {
      service.role = undefined;
      await page.getByRole("heading", { name: "Sign in" }).waitFor();
      await page.getByLabel("Name").fill("somebody");
      await page.getByLabel("Password").fill("correct horse battery");
      await page.getByRole("button", { name: "Sign in" }).click();
    };
    await signIn();
    await eventually(async () => expect(await field(page).inputValue()).toBe(WRITTEN));
    const other = { ...sessionOf("owner"), operator: { name: "bea@acme", role: "owner" } };
    service.answers.set("POST /session", () => {
      service.role = "owner";
      return Response.json(other);
    });
    service.answers.set("GET /session", () => Response.json(other));
    await signIn();
    await field(page).waitFor();
    expect(await field(page).inputValue()).toBe("");
    await open.open(path);
    await field(page).waitFor();
    expect(await field(page).inputValue()).toBe("");
  });

  test("that is typed while another is on its way stays, and one that was not taken, too", async () => {
    const answer = Promise.withResolvers<void>();
    let isLost = true;
    const keys: (string | null)[] = [];
    service.answers.set(`POST ${path}/messages`, async (request) => {
      keys.push(request.headers.get("idempotency-key"));
      if (isLost) return apiProblem(503, "STORAGE_UNAVAILABLE", "The database does not answer.");
      await answer.promise;
      return Response.json({ number: 4, at: NOW, kind: "operator", text: WRITTEN, name: "ops@acme" });
    });
    await using open = await openPane();
    const { page } = open;
    await field(page).fill(WRITTEN);
    await page.getByRole("button", { name: "Send" }).click();
    await page.getByText("Not sent: The database does not answer.").waitFor();
    expect(await field(page).inputValue()).toBe(WRITTEN);
    isLost = false;
    await page.getByRole("button", { name: "Send" }).click();
    await eventually(() => expect(keys).toHaveLength(2));
    await field(page).fill(`${WRITTEN} Anything else?`);
    answer.resolve();
    await eventually(async () => expect(await field(page).inputValue()).toBe("Anything else?"));
    await page.getByRole("button", { name: "Send" }).click();
    await eventually(async () => expect(await field(page).inputValue()).toBe(""));
    expect(keys[1]).toBe(keys[0]);
    expect(keys[2]).not.toBe(keys[0]!);
  });

  test("is written in sight, however much was said", async () => {
    const event = { at: NOW, kind: "visitor", text: "Hello?" };
    service.answers.set(`GET ${path}/events`, () =>
      Response.json({ items: Array.from({ length: 80 }, (_, at) => ({ ...event, number: at + 1 })) }),
    );
    for (const width of [390, 1024, 1440, 1920]) {
      await using open = await openConsole(service.url, path, {
        deviceScaleFactor,
        viewport: { width, height: 844 },
      });
      const { page } = open;
      await page.locator("[role=log] .bubble").nth(79).waitFor();
      const box = (await field(page).boundingBox())!;
      expect(box.y).toBeGreaterThan(0);
      expect(box.y + box.height).toBeLessThanOrEqual(844);
    }
  });
});
