import { afterAll, beforeAll, beforeEach, describe, expect, setDefaultTimeout, test } from "bun:test";

import { embed, type EmbeddedPage } from "../support/browser.ts";
import { eventually } from "../support/eventually.ts";
import { answer, type MockService, problem, startMockService, stream } from "../support/mock-service.ts";

setDefaultTimeout(120_000);

let service: MockService;
beforeAll(async () => {
  service = await startMockService();
});
beforeEach(() => {
  service.calls.length = 0;
  service.config = () => ({});
  service.chat = ({ body }) => answer(`You said ${body.input}.`);
});
afterAll(() => service[Symbol.asyncDispose]());

const openPage = (options = {}) => embed({ serviceUrl: service.url, ...options });
const PHONE = { viewport: { width: 390, height: 780 } };

/** The panel's code arrives only when the returned function is called. */
async function holdPanel({ page }: EmbeddedPage): Promise<() => void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  await page.route("**/panel-*.js*", async (route) => {
    await promise;
    await route.continue();
  });
  return resolve;
}

describe("a panel that does not come", () => {
  test("slow, on a phone: the bot's name, a skeleton, and a way out at once", async () => {
    await using shop = await openPage({ context: PHONE });
    await shop.page.getByRole("button", { name: "Chat: Acme Support" }).waitFor();
    const release = await holdPanel(shop);
    await shop.launcher.click();
    await shop.panel.getByText("Acme Support").waitFor();
    const bars = await shop.panel.locator(".loading").evaluate((node) => {
      const { height, borderRadius, boxShadow } = getComputedStyle(node, "::after");
      return { height: Number.parseFloat(height), round: Number.parseFloat(borderRadius), boxShadow };
    });
    expect(bars.round).toBeGreaterThanOrEqual(bars.height / 2);
    expect(bars.boxShadow.match(/rgba/g)).toHaveLength(2);
    const close = (await shop.launcher.boundingBox())!;
    expect([close.x + close.width, close.y]).toEqual([390, 0]);
    expect(Math.min(close.width, close.height)).toBeGreaterThanOrEqual(44);
    await shop.page.getByRole("button", { name: "Chat: Acme Support", expanded: true }).click();
    expect(await shop.panel.isVisible()).toBe(false);
    expect(await shop.launcher.isVisible()).toBe(true);
    await shop.launcher.click();
    release();
    await shop.input.waitFor();
    expect(await shop.page.locator(".loading").count()).toBe(0);
    expect(await shop.launcher.isVisible()).toBe(false);
  });

  test("offline: it says so, stays open, and loads when it is tried again", async () => {
    await using shop = await openPage();
    await shop.page.getByRole("button", { name: "Chat: Acme Support" }).waitFor();
    await shop.page.context().setOffline(true);
    await shop.launcher.click();
    const again = shop.panel.getByRole("button", { name: "Can’t load. Try again" });
    await again.waitFor();
    await again.click();
    await again.waitFor();
    await shop.page.context().setOffline(false);
    await again.click();
    await shop.input.waitFor();
    await shop.say("one");
    await shop.log.getByText("You said one.").waitFor();
  });

  test("its settings missing: the same, and they are asked for at once when it is tried again", async () => {
    let away = true;
    service.config = () => (away ? problem(503, "STORAGE_UNAVAILABLE") : {});
    await using shop = await openPage({ attributes: "data-open", root: 'lang="de"' });
    const again = shop.panel.getByRole("button", { name: "Nicht geladen. Wiederholen" });
    await again.waitFor();
    away = false;
    await again.click();
    await shop.input.waitFor();
  });
});

test("a bot that is not there is asked for once a session", async () => {
  let asked = 0;
  service.config = () => {
    asked += 1;
    return problem(404, "NOT_FOUND");
  };
  await using shop = await openPage();
  await shop.page.waitForFunction(() => sessionStorage.length === 1);
  const before = shop.troubles.length;
  await shop.reload();
  await shop.page.waitForFunction(() => document.querySelector("parley-chat") === null);
  await shop.page.evaluate(() => (window.Parley as { open: () => void }).open());
  expect([asked, shop.troubles.length - before]).toEqual([1, 0]);
});

describe("a message that was not sent", () => {
  test("stays when another is sent, over a reload too, until it is sent again or deleted", async () => {
    await using shop = await openPage();
    await shop.open();
    await shop.page.route("**/chat", (route) => route.abort());
    await shop.say("one");
    await shop.page.getByRole("alert").getByText("Not sent.").waitFor();
    await shop.say("two");
    await shop.page.locator(".held", { hasText: "two" }).waitFor();
    await shop.page.unroute("**/chat");
    await shop.say("three");
    await shop.log.getByText("You said three.").waitFor();
    expect(await shop.page.locator(".held bdi").allTextContents()).toEqual(["one", "two"]);
    await shop.reload();
    await shop.open();
    const turn = (text: string) =>
      shop.log.locator(".turn", { has: shop.page.locator(".held", { hasText: text }) });
    await turn("two").getByRole("button", { name: "Delete" }).click();
    await turn("one").getByRole("button", { name: "Try again" }).click();
    await shop.log.getByText("You said one.").waitFor();
    expect(await shop.page.locator(".question bdi").allTextContents()).toEqual(["three", "one"]);
    expect(service.calls.map(({ body }) => body.input)).toEqual(["three", "one"]);
    expect(await shop.page.locator(".held").count()).toBe(0);
  });

  test("is counted down under itself, not above another draft, and can be deleted", async () => {
    service.chat = ({ body }) =>
      body.input === "one" ? problem(429, "RATE_LIMITED", { "Retry-After": "60" }) : answer("Fine.");
    await using shop = await openPage();
    await shop.open();
    await shop.say("one");
    const countdown = shop.page.locator(".countdown");
    await countdown.waitFor();
    await shop.input.fill("two");
    const [question, notice, field] = await Promise.all(
      [shop.page.locator(".held"), countdown, shop.page.locator(".field")].map((part) => part.boundingBox()),
    );
    expect(notice!.y - (question!.y + question!.height)).toBeLessThan(20);
    expect(field!.y - notice!.y).toBeGreaterThan(60);
    await shop.page.getByRole("button", { name: "Delete" }).click();
    expect(await shop.page.locator(".question").count()).toBe(0);
    await shop.input.press("Enter");
    await shop.log.getByText("Fine.").waitFor();
  });

  test("for its length says how long it is, and how long it may be, and stands in the composer alone", async () => {
    const errors = [{ pointer: "/input", detail: "is too long", maxLength: 4000 }];
    service.chat = () =>
      Response.json(
        { code: "INVALID_REQUEST", status: 400, detail: "Too long.", errors },
        { status: 400, headers: { "Access-Control-Allow-Origin": "*" } },
      );
    await using shop = await openPage();
    await shop.open();
    await shop.say("🙂".repeat(4321));
    await shop.page
      .getByRole("alert")
      .getByText("This message is too long: 4,321 characters, and the limit is 4,000.")
      .waitFor();
    expect(await shop.page.getByRole("button", { name: "Try again" }).count()).toBe(0);
    expect(await shop.input.inputValue()).toBe("🙂".repeat(4321));
    expect(await shop.page.locator(".question").count()).toBe(0);
    await shop.reload();
    await shop.open();
    await shop.page.getByRole("alert").getByText("4,321 characters").waitFor();
  });
});

describe("an answer that breaks off", () => {
  const breakOff = () => stream(["Your order ", "left on"], { last: "cut" });

  test("stays as far as it was read, marked as stopped, and is whole once it is tried again", async () => {
    service.chat = breakOff;
    await using shop = await openPage();
    await shop.open();
    await shop.say("one");
    const stopped = shop.log.getByText("Stopped.");
    await stopped.waitFor();
    expect(await shop.log.locator(".answer .prose > p").first().textContent()).toBe("Your order left on");
    expect(await shop.panel.getByText("Not sent.").count()).toBe(0);
    expect(await shop.page.locator(".held").count()).toBe(0);
    service.chat = () => problem(503, "STORAGE_UNAVAILABLE");
    await stopped.getByRole("button", { name: "Try again" }).click();
    await eventually(() => expect(service.calls).toHaveLength(2));
    const failure = shop.page.getByRole("alert");
    await failure.getByRole("button", { name: "Try again" }).waitFor();
    expect(await stopped.getByRole("button").count()).toBe(0);
    await shop.log.getByText("Your order left on").waitFor();
    service.chat = () => answer("Your order left on Monday.");
    await failure.getByRole("button", { name: "Try again" }).click();
    await shop.log.getByText("Your order left on Monday.").waitFor();
    expect(await shop.log.locator(".answer").count()).toBe(1);
    expect(new Set(service.calls.map(({ idempotencyKey }) => idempotencyKey)).size).toBe(1);
  });

  test("stays where another message is sent, over a reload too", async () => {
    service.chat = ({ body }) => (body.input === "one" ? breakOff() : answer("Two."));
    await using shop = await openPage();
    await shop.open();
    await shop.say("one");
    await shop.log.getByText("Stopped.").waitFor();
    await shop.say("two");
    await shop.log.getByText("Two.", { exact: true }).waitFor();
    await shop.reload();
    await shop.open();
    expect(await shop.log.locator(".answer .prose").allInnerTexts()).toEqual([
      "Your order left on\n\nStopped.",
      "Two.",
    ]);
    expect(await shop.panel.getByText("Not sent.").count()).toBe(0);
  });

  test("does so in the kiosk, which says that it was stopped", async () => {
    service.chat = breakOff;
    service.config = (_, url) => ({
      template: { id: "kiosk", bundleUrl: `${url}/cdn/templates/kiosk.js` },
    });
    await using shop = await openPage();
    await shop.launcher.click();
    await shop.page.locator(".kiosk input").fill("one");
    await shop.page.locator(".kiosk input").press("Enter");
    const note = shop.page.locator(".kiosk-note");
    await note.getByText("Stopped.").waitFor();
    await shop.log.getByText("Your order left on").waitFor();
    service.chat = () => answer("Your order left on Monday.");
    await note.getByRole("button", { name: "Try again" }).click();
    await shop.log.getByText("Your order left on Monday.").waitFor();
    expect(await shop.log.getByText("Your order left on").count()).toBe(1);
  });
});

test("New conversation can be taken back, until another has begun", async () => {
  await using shop = await openPage();
  await shop.open();
  await shop.say("one");
  await shop.log.getByText("You said one.").waitFor();
  await shop.page.getByRole("button", { name: "New conversation" }).click();
  await shop.page.getByRole("button", { name: "Back to the earlier conversation" }).click();
  await shop.log.getByText("You said one.").waitFor();
  await shop.say("two");
  await shop.log.getByText("You said two.").waitFor();
  expect(service.calls[1]!.body.conversationId).toBe("cv_mock");
  await shop.page.evaluate(() => (window.Parley as { reset: () => void }).reset());
  await shop.page.locator(".fresh").waitFor();
  expect(await shop.page.getByRole("button", { name: "Back to the earlier conversation" }).count()).toBe(0);
});

test("a panel beside the page stands open after a reload, without taking the focus; one over the page does not", async () => {
  await using shop = await openPage();
  await shop.open();
  await shop.reload();
  await shop.input.waitFor();
  expect(await shop.page.evaluate(() => document.activeElement?.localName)).toBe("body");
  await shop.page.getByRole("button", { name: "Close chat" }).click();
  await shop.reload();
  await shop.launcher.waitFor();
  expect(await shop.panel.isVisible()).toBe(false);
  await shop.page.setViewportSize(PHONE.viewport);
  await shop.open();
  await shop.reload();
  await shop.launcher.waitFor();
  expect(await shop.panel.isVisible()).toBe(false);
});

interface Reading {
  /** How often the page has asked a stream for more. */
  reads: number;
}

const countReads = (page: EmbeddedPage["page"]) =>
  page.addInitScript(() => {
    const counted = Object.assign(window, { reads: 0 });
    // oxlint-disable-next-line typescript/unbound-method -- the proxy calls it on its reader
    ReadableStreamDefaultReader.prototype.read = new Proxy(ReadableStreamDefaultReader.prototype.read, {
      apply(read, reader, parameters) {
        counted.reads += 1;
        return Reflect.apply(read, reader, parameters) as unknown;
      },
    });
  });

test("a table that streams in never shows as text with bars", async () => {
  const pieces = [
    "Prices:\n\n",
    "| Item ",
    "| Price |",
    "\n|---",
    "|---|\n",
    "| Shirt | 12",
    " |\n",
    "| Hat |",
  ];
  await using shop = await openPage({ prepare: countReads });
  let sent = 0;
  /** The page asks for more only when it has drawn all that it has. */
  const drawn = async () => {
    sent += 1;
    await shop.page.waitForFunction((parts) => (window as unknown as Reading).reads > parts, sent);
  };
  service.chat = () => stream(pieces, { before: drawn });
  await shop.open();
  await shop.page.evaluate(() => {
    const shown: string[] = [];
    Object.assign(document, { shown });
    const root = document.querySelector("parley-chat")!.shadowRoot!;
    new MutationObserver(() => {
      const text = root.querySelector(".answer[aria-hidden]")?.textContent;
      if (text) shown.push(text);
    }).observe(root, { subtree: true, childList: true, characterData: true });
  });
  await shop.say("Prices?");
  await shop.log.locator("td", { hasText: "Hat" }).waitFor();
  const shown = await shop.page.evaluate(() => (document as unknown as { shown: string[] }).shown);
  // What shows after each piece that may show.
  expect([...new Set(shown)]).toEqual(["Prices:", "Prices:ItemPrice", "Prices:ItemPriceShirt12"]);
  expect(shown.filter((text) => text.includes("|"))).toEqual([]);
});
