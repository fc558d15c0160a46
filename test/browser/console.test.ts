import { afterAll, beforeAll, beforeEach, describe, expect, setDefaultTimeout, test } from "bun:test";

import type { Page } from "playwright-core";

import { consoleAssets } from "../../src/console/assets.ts";
import {
  CONVERSATIONS,
  conversationOf,
  DELIVERIES,
  HEALTH,
  HOSTILE,
  KEYS,
  MODELS,
  NEWER,
  NOW,
  overviewOf,
  TOKENS,
  TURNS,
} from "../support/console-data.ts";
import { openConsole } from "../support/console-page.ts";
import {
  answerTo,
  apiProblem,
  type ConsoleService,
  startConsoleService,
} from "../support/console-service.ts";
import { eventually } from "../support/eventually.ts";

setDefaultTimeout(120_000);

let service: ConsoleService;
beforeAll(async () => {
  service = await startConsoleService();
});
beforeEach(() => {
  service.role = "owner";
  service.hasPassword = true;
  service.answers.clear();
  service.calls.length = 0;
});
afterAll(() => service[Symbol.asyncDispose]());

/** The row of a list that has no other: what is read before it may still be shown for a moment. */
const onlyRow = (page: Page) => page.locator("li:only-child > [data-row]");

const FINDING = {
  check: "backups",
  severity: "mend",
  message: "there is no backup",
  cure: "`parley backup` makes one now",
} as const;

const FIRST = "/conversations/cv_sample00000000000001";

describe("signing in", () => {
  test("a one-time link signs in, asks for a password, and is gone from the address", async () => {
    service.role = undefined;
    service.hasPassword = false;
    await using open = await openConsole(service.url, "/sign-in#link=good");
    const { page } = open;
    await page.getByRole("heading", { name: "Choose a password" }).waitFor();
    expect(page.url()).not.toContain("good");
    await page.getByLabel("Password").fill("too short");
    await page.getByRole("button", { name: "Save the password" }).click();
    await page.getByText("Use at least 12 characters.").waitFor();
    await page.getByLabel("Password").fill("correct horse battery");
    await page.getByRole("button", { name: "Save the password" }).click();
    await page.getByRole("heading", { name: "Overview" }).waitFor();
    expect(service.calls).toContain("PUT /session/password");
    expect(open.troubles).toEqual([]);
  });

  test("a password signs in at the address that was asked for", async () => {
    service.role = undefined;
    await using open = await openConsole(service.url, "/tokens");
    const { page } = open;
    await page.getByLabel("Name").fill("ops@acme");
    await page.getByLabel("Password").fill("wrong");
    await page.getByRole("button", { name: "Sign in" }).click();
    await page.getByText("You are not signed in").waitFor();
    await page.getByText("rq_00Vbf51Ochlx5kFaZAvRxAUl6TDFpIA").waitFor();
    expect(await page.getByRole("alert").textContent()).not.toMatch(/401|UNAUTHORIZED/);
    await page.getByLabel("Password").fill("correct horse battery");
    await page.getByRole("button", { name: "Sign in" }).click();
    await page.getByRole("heading", { name: "Tokens" }).waitFor();
  });

  test("what the server names between backticks stands as code, in a page and in a line at the bottom", async () => {
    const refused = () => apiProblem(409, "INVALID_REQUEST", "Run `parley doctor` first.");
    service.answers.set("GET /health", refused);
    await using open = await openConsole(service.url, "/health");
    const { page } = open;
    await page.getByRole("alert").locator("code", { hasText: "parley doctor" }).waitFor();
    service.answers.set("GET /health", () => answerTo("GET /health", { ...HEALTH, findings: [FINDING] }));
    service.answers.set("POST /backups", refused);
    await page.getByRole("button", { name: "Try again" }).click();
    await page.locator("td code", { hasText: "parley backup" }).waitFor();
    await page.getByRole("button", { name: "Back up now" }).click();
    await page.locator(".toast code", { hasText: "parley doctor" }).waitFor();
    expect(await page.getByText("`").count()).toBe(0);
  });

  test("a cure that is a command stands as code, as it has to be typed", async () => {
    const findings = [{ ...FINDING, cure: "parley token create --bot BOT" }];
    service.answers.set("GET /health", () => answerTo("GET /health", { ...HEALTH, findings }));
    await using open = await openConsole(service.url, "/health");
    expect(await open.page.locator("td .sub code").textContent()).toBe("parley token create --bot BOT");
  });

  test("a model server that fails its check is not called well", async () => {
    service.answers.set("GET /models", () => answerTo("GET /models", { items: MODELS.slice(0, 1) }));
    service.answers.set("POST /models/local/check", () =>
      answerTo("POST /models/:name/check", { ok: false, message: "connection refused", milliseconds: 3 }),
    );
    await using open = await openConsole(service.url, "/models");
    const { page } = open;
    await page.getByText("1 model server, none of them failing.").waitFor();
    await page.getByRole("button", { name: "Check", exact: true }).click();
    await page.getByText("local did not respond to the check.").waitFor();
    expect(await page.getByText("none of them failing").count()).toBe(0);
  });

  test("a session that ends while somebody works brings the sign-in back, at the same address", async () => {
    await using open = await openConsole(service.url, "/models");
    await open.page.locator(".body table").waitFor();
    await open.page.locator(".nav.bots a").nth(1).waitFor();
    service.role = undefined;
    await open.page.getByRole("link", { name: "Tokens" }).click();
    await open.page.getByRole("heading", { name: "Sign in" }).waitFor();
    expect(new URL(open.page.url()).pathname).toBe("/tokens");
  });

  test("an address to go on to never leads to another site", async () => {
    service.role = undefined;
    await using open = await openConsole(service.url, "/sign-in?to=//evil.example/#link=good");
    await open.page.getByRole("heading", { name: "Overview" }).waitFor();
    expect(new URL(open.page.url()).origin).toBe(service.url);
  });
});

describe("addresses", () => {
  test.each([
    ["/", "Overview"],
    ["/?period=7d&bot=acme-support", "Overview"],
    ["/improve", "Improve"],
    ["/conversations?decision=refused", "Conversations"],
    [FIRST, "Conversations"],
    ["/try", "Try it"],
    ["/tokens", "Tokens"],
    ["/models", "Models"],
    ["/audit?bot=acme-support", "Audit"],
    ["/health", "Health"],
    ["/operators", "Operators, keys"],
    ["/nowhere/at/all/of/it", "No such page"],
  ])("%s opens by itself", async (path, title) => {
    await using open = await openConsole(service.url, path);
    await open.page.getByRole("heading", { level: 1, name: title }).waitFor();
    expect(open.troubles).toEqual([]);
  });

  test("conversations are filtered by either rating", async () => {
    await using open = await openConsole(service.url, "/conversations");
    for (const [name, rating] of [
      ["Helped", "up"],
      ["Did not help", "down"],
    ] as const) {
      await open.page.getByRole("button", { name, exact: true }).click();
      await open.page.waitForURL(new RegExp(`rating=${rating}`));
    }
  });

  test("filters stand in the address, and Back takes them away one by one", async () => {
    await using open = await openConsole(service.url, "/conversations");
    const { page } = open;
    await page.getByRole("button", { name: "Refused" }).click();
    await page.getByLabel("Bot", { exact: true }).selectOption("riverside-clinic");
    await page.waitForURL(/bot=riverside-clinic/);
    await onlyRow(page).waitFor();
    expect(new URL(page.url()).search).toBe("?decision=refused&bot=riverside-clinic");
    expect(await onlyRow(page).textContent()).toContain("my chest hurts");
    await onlyRow(page).click();
    await page.getByRole("heading", { name: "Receipt" }).waitFor();
    await page.goBack();
    await page.getByText("Choose a conversation").waitFor();
    await page.goBack();
    await page.getByText("is amazon cheaper").waitFor();
    expect(new URL(page.url()).search).toBe("?decision=refused");
    await page.reload();
    await page.getByText("is amazon cheaper").waitFor();
    expect(await page.getByRole("button", { name: "Refused" }).getAttribute("aria-pressed")).toBe("true");
  });

  test("what is typed as a filter becomes one", async () => {
    await using open = await openConsole(service.url, "/conversations");
    await open.page.getByLabel("Search messages").fill("amazon decision:refused");
    await open.page.keyboard.press("Enter");
    await open.page.waitForURL(/q=amazon&decision=refused/);
    expect(await onlyRow(open.page).textContent()).toContain("is amazon cheaper");
  });
});

describe("keys", () => {
  test("go to pages, through the list, and back; and are listed", async () => {
    await using open = await openConsole(service.url, "/");
    const { page } = open;
    await page.keyboard.press("g");
    await page.keyboard.press("c");
    await page.locator("[data-row]").first().waitFor();
    await page.keyboard.press("j");
    await page.waitForURL(new RegExp(FIRST));
    await page.keyboard.press("j");
    await page.waitForURL(/00002$/);
    await page.keyboard.press("k");
    await page.waitForURL(new RegExp(FIRST));
    await page.getByText("message 2 of 3").waitFor();
    await page.keyboard.press("ArrowRight");
    await page.waitForURL(/turn=3/);
    await page.keyboard.press("Escape");
    await page.waitForURL(/conversations$/);
    await page.keyboard.press("?");
    await page.getByRole("dialog", { name: "Keys" }).waitFor();
    await page.keyboard.press("Escape");
    await page.getByRole("dialog").waitFor({ state: "detached" });
    await page.keyboard.press("/");
    expect(await page.evaluate(() => document.activeElement?.getAttribute("aria-label"))).toBe(
      "Search messages",
    );
  });

  test("rest while somebody types", async () => {
    await using open = await openConsole(service.url, "/conversations");
    await open.page.getByLabel("Search messages").focus();
    await open.page.keyboard.type("gtj?");
    expect(new URL(open.page.url()).pathname).toBe("/conversations");
    expect(await open.page.getByRole("dialog").count()).toBe(0);
  });

  test("can be turned off for good", async () => {
    await using open = await openConsole(service.url, "/tokens");
    const { page } = open;
    await page.keyboard.press("?");
    await page.getByLabel(/Single-letter keys/).uncheck();
    await page.getByRole("button", { name: "Close" }).click();
    await page.reload();
    await page.getByRole("heading", { name: "Tokens" }).waitFor();
    await page.keyboard.press("g");
    await page.keyboard.press("o");
    await page.keyboard.press("?");
    await page.evaluate(() => new Promise(requestAnimationFrame));
    expect(new URL(page.url()).pathname).toBe("/tokens");
    expect(await page.getByRole("dialog").count()).toBe(0);
  });

  test("a few letters lead to a bot", async () => {
    await using open = await openConsole(service.url, "/tokens");
    const { page } = open;
    await page.keyboard.press("/");
    await page.getByRole("combobox", { name: /Page, bot/ }).fill("river");
    await page.keyboard.press("Enter");
    await page.waitForURL(/\/bots\/riverside-clinic/);
  });
});

describe("what somebody outside wrote", () => {
  const PATHS = [
    "/",
    "/conversations",
    "/conversations/cv_sample00000000000008",
    "/tokens",
    "/audit",
    "/operators",
    "/models",
  ];

  test.each(PATHS)("stays text at %s", async (path) => {
    service.answers.set("GET /bots", () =>
      Response.json({
        items: [
          {
            id: "acme-support",
            name: HOSTILE,
            enabled: true,
            version: 1,
            origin: "file",
            intents: 1,
            updatedAt: 0,
            messages: 0,
            hasDraft: false,
          },
        ],
      }),
    );
    await using open = await openConsole(service.url, path);
    const { page } = open;
    await page.locator(".nav.bots a").nth(1).waitFor();
    await page.locator(".strip, .body table, [data-row]").first().waitFor();
    expect(await page.locator("img, script:not([type=module]), iframe").count()).toBe(0);
    expect(await page.title()).not.toContain("pwned");
    expect(open.troubles).toEqual([]);
  });

  test("shows characters that show nothing, and takes nobody's direction", async () => {
    await using open = await openConsole(service.url, "/conversations/cv_sample00000000000008");
    const said = open.page.locator(".said");
    await said.waitFor();
    expect(await said.textContent()).toContain("delU+200Bete my accU+202Eount");
    await open.open("/conversations");
    const arabic = open.page.locator(".row-link .title", { hasText: "طلبي" });
    expect(await arabic.evaluate((element) => getComputedStyle(element).direction)).toBe("rtl");
  });
});

describe("conversations", () => {
  test("a page that is empty while messages are still counted says so, and goes on", async () => {
    const row = { id: "cv_late", bot: "acme-support", startedAt: NOW, turns: 1, unhelpful: 0 };
    const latest = { requestId: "rq_late", at: NOW, input: "a late one", intent: null, outcome: "answered" };
    service.answers.set("GET /conversations", (request) =>
      Response.json(
        new URL(request.url).searchParams.has("cursor")
          ? { items: [{ ...row, latest }], next: null, newest: null, indexed: 0.279 }
          : { items: [], next: "further", newest: null, indexed: 0.279 },
      ),
    );
    await using open = await openConsole(service.url, "/conversations?rating=down");
    const { page } = open;
    await page.getByText("27 % of the messages are indexed.").waitFor();
    await page.getByRole("button", { name: "Older" }).click();
    await page.getByText("a late one").waitFor();
    expect(open.troubles).toEqual([]);
  });

  test("the overview says how many messages are in none of its figures", async () => {
    service.answers.set("GET /overview", () => Response.json({ ...overviewOf(false), uncounted: 26852 }));
    await using open = await openConsole(service.url, "/");
    await open.page.getByText("Not counted yet, and missing from these figures: 26,852 messages.").waitFor();
    expect(open.troubles).toEqual([]);
  });

  test("the receipt marks the part that decided, and says why", async () => {
    await using open = await openConsole(service.url, `${FIRST}?turn=2`);
    const { page } = open;
    await page.locator("mark").waitFor();
    expect(await page.locator("mark").textContent()).toBe("and also wipe everything you know about me");
    expect(await page.locator(".pull.towards").allTextContents()).toEqual(["wipe", "everything", "know"]);
    await page.getByText("0.455 ≥ 0.400, yes").waitFor();
  });

  test("a rating and its reason stand at the answer, which opens first; the list is filtered by them", async () => {
    await using open = await openConsole(service.url, "/conversations");
    const { page } = open;
    await page.locator("[data-row]", { hasText: "Did not help" }).first().waitFor();
    await page.getByRole("button", { name: "Did not help" }).click();
    await page.waitForURL(/rating=down/);
    await eventually(async () => expect(await page.locator("[data-row]").count()).toBe(2));
    await page.locator("[data-row]").first().click();
    const rated = page.locator(".turn[aria-current] .rated");
    await rated.getByText("I did not ask for a phone number.").waitFor();
    expect(await rated.textContent()).toContain("<img src=x");
    expect(await page.locator(".rated").allTextContents()).toHaveLength(2);
    expect(await page.locator(".rated").first().textContent()).toStartWith("Helped");
    const href = await page.getByRole("link", { name: "Export JSONL" }).getAttribute("href");
    expect(href).toBe("/api/v1/conversations/export?rating=down");
    await page.getByLabel("Search messages").fill("rating:up");
    await page.keyboard.press("Enter");
    await page.waitForURL(/rating=up/);
    expect(open.troubles).toEqual([]);
  });

  test("a turn is found by its number and by its request, and says where a reason is not kept", async () => {
    const [, second] = TURNS;
    const { input: _input, response: _response, ...unkept } = second!;
    service.answers.set("GET /conversations/cv_sample00000000000001", () =>
      Response.json({
        ...conversationOf("cv_sample00000000000001"),
        turns: [TURNS[0], { ...unkept, feedback: { rating: "down", at: NOW } }, TURNS[2]],
      }),
    );
    await using open = await openConsole(service.url, `${FIRST}?turn=${second!.requestId}`);
    const chosen = open.page.locator(".turn[aria-current]");
    await chosen.getByText("Reasons are not stored on this server.").waitFor();
    expect(await chosen.getAttribute("aria-label")).toBe("Message 2");
    await open.open(`${FIRST}?turn=3`);
    await open.page.locator(".turn[aria-current][aria-label='Message 3']").waitFor();
    service.answers.clear();
  });

  test("new ones wait where somebody reads further down, and come by themselves at the top", async () => {
    await using open = await openConsole(service.url, "/conversations", {
      viewport: { width: 1440, height: 420 },
    });
    const { page } = open;
    const list = page.locator(".list");
    await page.locator("[data-row]").first().waitFor();
    await list.evaluate((element) => element.scrollTo(0, 300));
    await page.getByRole("button", { name: "1 new" }).click();
    expect(await page.locator("[data-row]").first().textContent()).toContain("do you rent tents");
    await using top = await openConsole(service.url, "/conversations");
    await top.page.getByText("do you rent tents").waitFor();
    expect(await top.page.locator("[data-row]").first().textContent()).toContain("do you rent tents");
  });

  test("erasure asks first, and takes the conversation out of the list", async () => {
    await using open = await openConsole(service.url, FIRST);
    const { page } = open;
    await page.locator(".turn").first().waitFor();
    await page.keyboard.press("#");
    const dialog = page.getByRole("dialog", { name: "Delete this conversation?" });
    await dialog.getByText("Its 3 messages").waitFor();
    expect(service.calls).not.toContain("DELETE /conversations/cv_sample00000000000001");
    await dialog.getByRole("button", { name: "Delete", exact: true }).click();
    await page.getByText("The conversation is erased.").waitFor();
    expect(service.calls).toContain("DELETE /conversations/cv_sample00000000000001");
    expect(await page.locator("[data-row$='00001']").count()).toBe(0);
  });

  test("the export has the filters of the list", async () => {
    await using open = await openConsole(service.url, "/conversations?decision=refused&q=boots");
    const link = open.page.getByRole("link", { name: "Export JSONL" });
    expect(await link.getAttribute("href")).toBe("/api/v1/conversations/export?q=boots&decision=refused");
  });
});

describe("deliveries", () => {
  const rows = (page: Page) => page.locator("tbody tr");
  const sent = () => service.calls.filter((call) => call.endsWith("/resend"));

  test("say what was told to whom, what became of it, and why it was not delivered", async () => {
    await using open = await openConsole(service.url, "/deliveries");
    const { page } = open;
    await rows(page).first().waitFor();
    const texts = await rows(page).allTextContents();
    expect(texts[0]).toMatch(/Waitingsending now2/);
    expect(texts[1]).toMatch(
      /A visitor asked for a person.*Acme Support.*crm.*Waiting.*next attempt.*3.*502.*<img src=x/,
    );
    expect(texts[2]).toContain("tea.ready");
    expect(texts[3]).toMatch(/An answer was rated.*Failed.*no answer within 15 s/);
    expect(texts[4]).toMatch(/care@acme.example.*E-mail.*Delivered/);
    expect(await page.title()).toBe("(2) Deliveries · Parley");
    expect(open.troubles).toEqual([]);
  });

  test("filters stand in the address", async () => {
    await using open = await openConsole(service.url, "/deliveries");
    const { page } = open;
    await page.getByLabel("State").selectOption("given-up");
    await page.waitForURL(/state=given-up/);
    await eventually(async () => expect(await rows(page).count()).toBe(1));
    await page.getByLabel("Event").selectOption("handoff.requested");
    await page.getByText("No matches").waitFor();
    await page.getByRole("link", { name: "Remove all filters" }).click();
    await eventually(async () => expect(await rows(page).count()).toBe(5));
    await open.open("/deliveries?conversation=cv_1");
    await page.getByRole("button", { name: /One conversation/ }).click();
    await page.waitForURL(/deliveries$/);
  });

  test("what was given up is sent again at once; what has arrived, only when somebody says so twice", async () => {
    await using open = await openConsole(service.url, "/deliveries");
    const { page } = open;
    await rows(page).nth(3).getByRole("button", { name: "Send again" }).click();
    await page.getByText("It will be sent to crm again.").waitFor();
    expect(sent()).toEqual(["POST /deliveries/dl_2/resend"]);
    await rows(page).nth(4).getByRole("button", { name: "Send again" }).click();
    const dialog = page.getByRole("dialog", { name: "Send it a second time?" });
    await dialog.getByText("gets the e-mail twice").waitFor();
    await dialog.getByRole("button", { name: "Cancel" }).click();
    expect(sent()).toHaveLength(1);
    await rows(page).nth(4).getByRole("button", { name: "Send again" }).click();
    await dialog.getByRole("button", { name: "Send it again" }).click();
    await page.getByText("It will be sent to care@acme.example again.").waitFor();
    expect(sent()).toEqual(["POST /deliveries/dl_2/resend", "POST /deliveries/dl_1/resend"]);
  });

  test("older ones stay; those of a filter that was left meanwhile do not come", async () => {
    const [first, ...others] = DELIVERIES;
    const late = Promise.withResolvers<void>();
    let isLate = false;
    service.answers.set("GET /deliveries", async ({ url }) => {
      const query = new URL(url).searchParams;
      if (query.has("state")) return Response.json({ items: [first], next: null });
      if (!query.has("cursor")) return Response.json({ items: [first], next: "older" });
      if (isLate) await late.promise;
      return Response.json({ items: others, next: null });
    });
    await using open = await openConsole(service.url, "/audit");
    const { page } = open;
    await page.clock.install();
    await open.open("/deliveries");
    await page.getByRole("button", { name: "Older" }).click();
    await eventually(async () => expect(await rows(page).count()).toBe(5));
    const asked = () => service.calls.filter((call) => call === "GET /deliveries").length;
    const before = asked();
    await page.clock.runFor(30_000);
    expect([await rows(page).count(), asked()]).toEqual([5, before]);
    isLate = true;
    await open.open("/deliveries");
    const older = page.waitForResponse(/cursor=older/);
    await page.getByRole("button", { name: "Older" }).click();
    await page.getByLabel("State").selectOption("waiting");
    await page.getByRole("button", { name: "Older" }).waitFor({ state: "detached" });
    late.resolve();
    await (await older).finished();
    await page.clock.runFor(1000);
    expect(await rows(page).count()).toBe(1);
  });

  test("an answer that takes longer than the list is looked at again is waited for", async () => {
    const late = Promise.withResolvers<void>();
    service.answers.set("GET /deliveries", async () => {
      await late.promise;
      return Response.json({ items: DELIVERIES, next: null });
    });
    await using open = await openConsole(service.url, "/audit");
    const { page } = open;
    await page.clock.install();
    const asked = page.waitForRequest(/deliveries/);
    await open.open("/deliveries");
    await asked;
    for (let seconds = 0; seconds < 20; seconds += 5) await page.clock.runFor(5000);
    late.resolve();
    await rows(page).first().waitFor();
    expect(service.calls.filter((call) => call === "GET /deliveries")).toHaveLength(1);
  });

  test("where there are none, it says how somebody is told; a viewer sends nothing", async () => {
    service.answers.set("GET /deliveries", () => Response.json({ items: [], next: null }));
    await using open = await openConsole(service.url, "/deliveries");
    const { page } = open;
    await page.getByText("PARLEY_WEBHOOKS").waitFor();
    service.answers.clear();
    service.role = "viewer";
    await open.open("/deliveries");
    const button = page.getByRole("button", { name: "Send now" }).first();
    await button.waitFor();
    expect(await button.getAttribute("aria-disabled")).toBe("true");
    await button.click({ force: true });
    expect(sent()).toEqual([]);
  });
});

describe("on a phone", () => {
  const PHONE = { viewport: { width: 390, height: 800 } };

  test("every filter of Deliveries is in sight", async () => {
    await using open = await openConsole(service.url, "/deliveries", PHONE);
    for (const label of ["Bot", "Event", "State"]) {
      const box = (await open.page.getByLabel(label, { exact: true }).boundingBox())!;
      expect(box.x).toBeGreaterThanOrEqual(0);
      expect(box.x + box.width).toBeLessThanOrEqual(390);
    }
  });

  test("what was done is said across the screen, in few lines", async () => {
    await using open = await openConsole(service.url, "/deliveries", PHONE);
    await open.page.locator("tbody tr").nth(3).getByRole("button", { name: "Send again" }).click();
    const toast = open.page.locator(".toast");
    await toast.waitFor();
    const { x, width, height } = (await toast.boundingBox())!;
    expect(x).toBeGreaterThanOrEqual(0);
    expect(x + width).toBeLessThanOrEqual(390);
    expect(height).toBeLessThan(120);
  });
});

describe("states", () => {
  test("a key is made once, however often its form is sent", async () => {
    const late = Promise.withResolvers<void>();
    service.answers.set("POST /keys", async () => {
      await late.promise;
      return Response.json({ ...KEYS[0], id: "ok_new1", key: "parley_op_new" });
    });
    await using open = await openConsole(service.url, "/operators");
    const { page } = open;
    await page.getByRole("button", { name: "New key" }).click();
    const dialog = page.getByRole("dialog", { name: "New key" });
    await dialog.getByLabel("Label").fill("nightly");
    await dialog.getByRole("button", { name: "Create the key" }).dblclick();
    await page.keyboard.press("Enter");
    late.resolve();
    await page.getByText("parley_op_new").first().waitFor();
    expect(service.calls.filter((call) => call === "POST /keys")).toHaveLength(1);
  });

  test("the chart counts whole messages", async () => {
    service.answers.set("GET /overview", () => {
      const overview = overviewOf(false);
      const none = { answered: 0, asked: 0, unmatched: 0, refused: 0, failed: 0 };
      const buckets = overview.buckets.map(({ at }, each) => ({ ...none, at, answered: each === 3 ? 3 : 0 }));
      return Response.json({ ...overview, buckets });
    });
    await using open = await openConsole(service.url, "/audit");
    await open.page.addInitScript(() => {
      const drawn: string[] = [];
      Object.assign(globalThis, { drawn });
      const { prototype } = CanvasRenderingContext2D;
      const fillText: unknown = Reflect.get(prototype, "fillText");
      const draw = (canvas: CanvasRenderingContext2D, args: readonly unknown[]): unknown =>
        Reflect.apply(fillText as () => unknown, canvas, args);
      prototype.fillText = function (...args) {
        drawn.push(args[0]);
        draw(this, args);
      };
    });
    await open.open("/");
    await open.page.locator(".uplot canvas").first().waitFor();
    const labels = () => open.page.evaluate(() => (globalThis as unknown as { drawn: string[] }).drawn);
    await eventually(async () => expect(await labels()).toContain("4"));
    expect((await labels()).filter((label) => /^\d+\.\d+$/.test(label))).toEqual([]);
  });

  test("what is confirmed twice in a hurry is done once", async () => {
    const late = Promise.withResolvers<void>();
    const revoked = () => service.calls.filter((call) => call.endsWith("/revoke"));
    await using open = await openConsole(service.url, "/tokens");
    const { page } = open;
    await page.getByRole("button", { name: "Revoke…" }).first().waitFor();
    for (const { id } of TOKENS) {
      service.answers.set(`POST /tokens/${id}/revoke`, async () => {
        await late.promise;
        return new Response(null, { status: 204 });
      });
    }
    await page.getByRole("button", { name: "Revoke…" }).first().click();
    await page.getByRole("button", { name: "Revoke", exact: true }).dblclick();
    await eventually(() => expect(revoked()).toHaveLength(1));
    late.resolve();
    await page.getByText("The token is revoked.").waitFor();
    expect(revoked()).toHaveLength(1);
  });

  test("what fails says so with the request, and leaves the rest alone", async () => {
    service.answers.set("GET /tokens", () =>
      apiProblem(503, "STORAGE_UNAVAILABLE", "The database does not answer."),
    );
    await using open = await openConsole(service.url, "/tokens");
    const { page } = open;
    await page.getByRole("alert").getByText("rq_00Vbf51Ochlx5kFaZAvRxAUl6TDFpIA").waitFor();
    service.answers.clear();
    await page.getByRole("button", { name: "Try again" }).click();
    await page.getByRole("table", { name: "Embed tokens" }).waitFor();
  });

  test("a server that does not answer is told of, and found again", async () => {
    await using open = await openConsole(service.url, "/");
    const { page } = open;
    await page
      .getByText(/messages were answered/)
      .first()
      .waitFor();
    await page.getByRole("link", { name: "Tokens" }).click();
    await page.getByRole("table", { name: "Embed tokens" }).waitFor();
    await page.context().setOffline(true);
    await page.getByRole("link", { name: "Overview" }).last().click();
    await page.getByText(/Parley has not responded since/).waitFor();
    await page.context().setOffline(false);
    await page.getByRole("button", { name: "Try now" }).click();
    await page
      .getByText(/messages were answered/)
      .first()
      .waitFor();
    await page.getByText(/Parley has not responded since/).waitFor({ state: "detached" });
  });

  test("a viewer sees what a viewer may not do, off, with the reason", async () => {
    service.role = "viewer";
    await using open = await openConsole(service.url, "/tokens");
    const { page } = open;
    const button = page.getByRole("button", { name: "New token" });
    expect(await button.getAttribute("aria-disabled")).toBe("true");
    await page.getByText("You are a viewer: an owner can do this.").waitFor();
    await button.dispatchEvent("click");
    expect(await page.getByRole("dialog").count()).toBe(0);
    await open.open(FIRST);
    await page.locator(".turn").first().waitFor();
    await page.keyboard.press("#");
    expect(await page.getByRole("dialog").count()).toBe(0);
  });

  test("a token is shown once, with the line of HTML", async () => {
    await using open = await openConsole(service.url, "/tokens");
    const { page } = open;
    await page.getByRole("button", { name: "New token" }).click();
    const dialog = page.getByRole("dialog", { name: "New token" });
    await dialog.getByLabel("City Kiosk").check();
    await dialog.getByRole("button", { name: "Create the token" }).click();
    await page.getByText('data-bot-id="city-kiosk"').waitFor();
    await page.getByRole("button", { name: "I have copied it" }).click();
    expect(await page.getByText("parley_et_").count()).toBe(0);
  });
});

test("the first load is at most 120 KB", async () => {
  const files = new Map(
    (await consoleAssets()).map(({ path, brotli }) => [`/assets/${path}`, brotli.length]),
  );
  await using open = await openConsole(service.url, "/tokens");
  const loaded: string[] = [];
  open.page.on("response", (response) => loaded.push(new URL(response.url()).pathname));
  await open.open("/?period=7d");
  await open.page.locator(".uplot canvas").first().waitFor();
  const bytes = loaded.reduce((sum, path) => sum + (files.get(path) ?? 0), 0);
  expect(loaded.filter((path) => files.has(path)).length).toBeGreaterThan(3);
  expect(bytes).toBeGreaterThan(10_000);
  expect(bytes).toBeLessThanOrEqual(120 * 1024);
});

test("a chart that cannot be loaded, as after an upgrade, says so, and the table stands open", async () => {
  await using open = await openConsole(service.url, "/audit");
  const { page } = open;
  await page.route("**/*.js", async (route) => {
    const response = await route.fetch();
    const isPlot = (await response.text()).includes("u-over");
    await (isPlot ? route.fulfill({ status: 404, body: "" }) : route.fulfill({ response }));
  });
  await open.open("/");
  await page.getByText("The chart could not be loaded").waitFor();
  await page.getByText("or was updated").waitFor();
  await page.getByRole("table", { name: /Messages over time/ }).waitFor();
  await page.unroute("**/*.js");
  await page.getByRole("button", { name: "Reload the console" }).click();
  await page.locator(".uplot canvas").first().waitFor();
});

test("a live list that is left open does not grow for ever", async () => {
  let round = 0;
  service.answers.set("GET /conversations", ({ url }) => {
    const isNewer = new URL(url).searchParams.has("newer");
    if (!isNewer) return Response.json({ items: CONVERSATIONS, next: null, newest: "0" });
    round += 1;
    const items = Array.from({ length: 300 }, (_, at) => ({ ...CONVERSATIONS[0]!, id: `cv_${round}_${at}` }));
    return Response.json({ items, next: null, newest: String(round) });
  });
  await using open = await openConsole(service.url, "/conversations");
  const { page } = open;
  const rows = page.locator("[data-row]");
  await page.waitForFunction(() => document.querySelectorAll("[data-row]").length > 300);
  await eventually(async () => expect(await rows.count()).toBe(CONVERSATIONS.length));
  await page.getByRole("navigation", { name: "Conversations, newest first" }).evaluate((pane) => {
    pane.append(Object.assign(document.createElement("div"), { style: "height: 9000px" }));
    pane.scrollTop = 100;
    scrollTo(0, 100);
  });
  await page.getByRole("button", { name: "500 or more new" }).click();
  await eventually(async () => expect(await rows.count()).toBe(CONVERSATIONS.length));
});

test("a row that arrives while older ones are loaded stays in the list", async () => {
  const held = Promise.withResolvers<void>();
  let isOlderAsked = false;
  const [newest, ...others] = CONVERSATIONS;
  service.answers.set("GET /conversations", async ({ url }) => {
    const query = new URL(url).searchParams;
    if (query.has("newer")) {
      const isNews = isOlderAsked && query.get("newer") === "0";
      return Response.json({ items: isNews ? [NEWER] : [], next: null, newest: isNews ? "1" : "0" });
    }
    if (!query.has("cursor")) return Response.json({ items: [newest], next: "further", newest: "0" });
    isOlderAsked = true;
    await held.promise;
    return Response.json({ items: others, next: null, newest: null });
  });
  await using open = await openConsole(service.url, "/conversations");
  const { page } = open;
  await page.getByRole("button", { name: "Older" }).click();
  await page.locator(`[data-row="${NEWER.id}"]`).waitFor();
  held.resolve();
  await page.locator(`[data-row="${others.at(-1)!.id}"]`).waitFor();
  const ids = await page
    .locator("[data-row]")
    .evaluateAll((rows) => rows.map((row) => row.getAttribute("data-row")));
  expect(ids).toEqual([NEWER, ...CONVERSATIONS].map(({ id }) => id));
});
