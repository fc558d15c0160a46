import { afterAll, beforeAll, beforeEach, describe, expect, setDefaultTimeout } from "bun:test";

import { embed, type EmbeddedPage } from "../support/browser.ts";
import { journey, test } from "../support/journey.ts";
import { answer, type MockService, startMockService } from "../support/mock-service.ts";

setDefaultTimeout(120_000);

let service: MockService;
beforeAll(async () => {
  service = await startMockService();
});
beforeEach(() => {
  service.config = () => ({
    suggestedQuestions: ["Where is my order?", "What does shipping cost?", "May I return it?"].map(
      (text, order) => ({ id: text, text, order }),
    ),
  });
  service.chat = ({ body }) => answer(`You said ${body.input}. ${"It is a long answer. ".repeat(20)}`);
});
afterAll(() => service[Symbol.asyncDispose]());

const openPage = (options = {}) => embed({ serviceUrl: service.url, ...options });
const PHONE = { viewport: { width: 390, height: 780 }, hasTouch: true, isMobile: true };

const boxOf = async (shop: EmbeddedPage, selector: string) =>
  (await shop.page.locator(`parley-chat ${selector}`).first().boundingBox())!;

describe("short views", () => {
  test.each([
    [740, 170],
    [320, 200],
  ])(
    "%d by %d: the conversation has most of the room, and nothing lies on its text",
    async (width, height) => {
      await using shop = await openPage({ context: { viewport: { width, height } } });
      await shop.open();
      const scroll = () => shop.page.locator(".scroll").evaluate((box) => box.scrollTop);
      expect(await scroll()).toBe(0);
      await shop.say("one");
      await shop.log.getByText("You said one.").waitFor();
      const view = await boxOf(shop, ".scroll");
      expect(view.height).toBeGreaterThanOrEqual(height * 0.4);
      expect((await boxOf(shop, ".answer p")).y).toBeLessThan(view.y + view.height - 20);
      await shop.page.locator(".scroll").evaluate((box) => box.scrollTo(0, 0));
      const button = await boxOf(shop, ".latest");
      const text = await boxOf(shop, ".stack");
      expect(text.x + text.width).toBeLessThanOrEqual(button.x);
      const powered = await boxOf(shop, ".powered");
      const name = await boxOf(shop, "h2");
      expect(name.x + name.width).toBeLessThanOrEqual(powered.x);
    },
  );

  journey.each([
    [740, 170],
    [320, 180],
  ])(
    "%d by %d: of the welcome, greeting, legal line and a row of suggestions are whole",
    async (width, height) => {
      await using shop = await openPage({ context: { viewport: { width, height } } });
      await shop.open();
      const composer = await boxOf(shop, ".composer");
      const row = await boxOf(shop, ".pills button");
      const texts = [await boxOf(shop, ".greeting"), await boxOf(shop, ".legal")];
      expect(row.y + row.height).toBeLessThanOrEqual(composer.y);
      for (const corner of [await boxOf(shop, ".icon-button"), await boxOf(shop, ".powered")]) {
        for (const text of texts) {
          expect(text.y).toBeGreaterThanOrEqual(0);
          expect(text.y + text.height).toBeLessThanOrEqual(row.y);
          expect(text.x + text.width).toBeLessThanOrEqual(corner.x);
        }
      }
    },
  );

  test("a long welcome scrolls behind the suggestions, which stay in sight", async () => {
    service.config = () => ({
      welcomeMessage: "A long welcome, as a bot may have it. ".repeat(8),
      suggestedQuestions: [{ id: "a", text: "Where is my order?", order: 0 }],
    });
    await using shop = await openPage({ context: { viewport: { width: 320, height: 180 } } });
    await shop.open();
    const row = await boxOf(shop, ".pills button");
    expect(row.y + row.height).toBeLessThanOrEqual((await boxOf(shop, ".composer")).y);
    await shop.page.locator(".scroll").evaluate((box) => box.scrollTo(0, box.scrollHeight));
    const legal = await boxOf(shop, ".legal");
    expect(legal.y + legal.height).toBeLessThanOrEqual((await boxOf(shop, ".pills button")).y);
  });

  test("a phone's keyboard leaves the suggestions in sight, and comes only when it is wanted", async () => {
    await using shop = await openPage({ context: PHONE });
    await shop.open();
    expect(await shop.input.evaluate((input) => input.matches(":focus"))).toBe(false);
    await shop.page.evaluate(() => {
      Object.defineProperty(visualViewport!, "height", { value: 380, configurable: true });
      visualViewport!.dispatchEvent(new Event("resize"));
    });
    const composer = await boxOf(shop, ".composer");
    const question = await boxOf(shop, ".pills button");
    expect(question.y + question.height).toBeLessThanOrEqual(composer.y);
    await shop.page.getByRole("button", { name: "Where is my order?" }).tap();
    await shop.log.getByText("You said Where is my order?").waitFor();
    expect(await shop.input.evaluate((input) => input.matches(":focus"))).toBe(false);
  });
});

describe("a phone's keyboard", () => {
  const setHeight = (shop: EmbeddedPage, height: number) =>
    shop.page.evaluate((value) => {
      Object.defineProperty(visualViewport!, "height", { value, configurable: true });
      visualViewport!.dispatchEvent(new Event("resize"));
    }, height);
  const leftBelow = (shop: EmbeddedPage) =>
    shop.page.locator(".scroll").evaluate((box) => box.scrollHeight - box.scrollTop - box.clientHeight);
  const readOne = async (shop: EmbeddedPage) => {
    service.chat = () => answer(`${"A line of the answer.\n\n".repeat(8)}The end.`);
    await shop.open();
    await shop.say("one");
    await shop.log.getByText("The end.").waitFor();
  };

  test("leaves the end of the conversation in sight where it was, and when it goes", async () => {
    await using shop = await openPage({ context: PHONE });
    await readOne(shop);
    expect(await leftBelow(shop)).toBeLessThan(2);
    await setHeight(shop, 416);
    expect(await leftBelow(shop)).toBeLessThan(2);
    await shop.input.fill("two");
    expect(await leftBelow(shop)).toBeLessThan(2);
    await setHeight(shop, 780);
    expect(await leftBelow(shop)).toBeLessThan(2);
  });

  test("moves nothing for a visitor who reads further up", async () => {
    await using shop = await openPage({ context: PHONE });
    await readOne(shop);
    await shop.say("again");
    await shop.log.getByText("The end.").nth(1).waitFor();
    await shop.page.locator(".scroll").evaluate((box) => box.scrollTo(0, 40));
    await shop.page.locator(".latest").waitFor();
    await setHeight(shop, 416);
    expect(await shop.page.locator(".scroll").evaluate((box) => box.scrollTop)).toBe(40);
  });
});

test("the welcome is as high as its contents, begins at its top, and a conversation has the whole panel", async () => {
  await using shop = await openPage();
  await shop.open();
  const welcome = (await shop.panel.boundingBox())!;
  expect(welcome.height).toBeLessThan(560);
  expect(welcome.y + welcome.height).toBe(800 - 88);
  expect(await shop.page.locator(".scroll").evaluate((box) => box.scrollHeight - box.clientHeight)).toBe(0);
  await shop.say("one");
  await shop.log.getByText("You said one.").waitFor();
  expect((await shop.panel.boundingBox())!.height).toBe(620);
});

test.each<[root: string, welcomeMessage: string, said: string, side: "right" | "left"]>([
  ['lang="ar" dir="rtl"', "Hi! How can I help?", "You are in for a short answer.", "right"],
  ['lang="en"', "مرحبا، كيف أساعدك؟", "إجابة قصيرة.", "left"],
])(
  "in a page of %p, a bot of another direction stands at the same side as all else",
  async (root, welcomeMessage, said, side) => {
    service.config = () => ({ welcomeMessage });
    service.chat = () => answer(said);
    await using shop = await openPage({ root });
    await shop.open();
    const edges = (selector: string) =>
      shop.page.locator(`parley-chat ${selector}`).evaluate((node, edge) => {
        const text = document.createRange();
        text.selectNodeContents(node);
        return Math.round(text.getBoundingClientRect()[edge]);
      }, side);
    expect(await edges(".greeting p")).toBe(await edges(".legal p"));
    await shop.say("one");
    await shop.log.getByText(said).waitFor();
    expect(await edges(".answer .prose p")).toBe(await edges(".legal p"));
  },
);

test("what copies code stands within its frame", async () => {
  service.chat = () => answer("```\nnpm i\n```");
  await using shop = await openPage({ context: PHONE });
  await shop.open();
  await shop.say("one");
  await shop.log.locator("pre").waitFor();
  const [copy, code] = [await boxOf(shop, ".code .copy"), await boxOf(shop, "pre")];
  expect(copy.y).toBeGreaterThanOrEqual(code.y);
  expect(copy.y + copy.height).toBeLessThanOrEqual(code.y + code.height);
  expect(copy.x + copy.width).toBeLessThanOrEqual(code.x + code.width);
});

test("the kiosk's welcome beside a page is as high as its contents, too", async () => {
  service.config = (_, url) => ({
    suggestedQuestions: [{ id: "a", text: "Where is my order?", order: 0 }],
    template: { id: "kiosk", bundleUrl: `${url}/cdn/templates/kiosk.js` },
  });
  await using shop = await openPage();
  await shop.launcher.click();
  const close = await boxOf(shop, ".kiosk-close");
  const greeting = await boxOf(shop, ".kiosk-welcome");
  expect(greeting.y - (close.y + close.height)).toBeLessThan(40);
});

journey(
  "in a page from right to left the empty composer begins at the right, and what is written as it is written",
  async () => {
    await using shop = await openPage({ root: 'lang="ar" dir="rtl"' });
    await shop.open();
    const direction = () => shop.input.evaluate((input) => getComputedStyle(input).direction);
    expect(await direction()).toBe("rtl");
    await shop.input.fill("hello");
    expect(await direction()).toBe("ltr");
    await shop.input.fill("مرحبا");
    expect(await direction()).toBe("rtl");
  },
);

journey("on a phone it is a modal dialog over a page that stays, with controls of finger size", async () => {
  await using shop = await openPage({ context: PHONE, body: '<div style="height: 4000px"></div>' });
  await shop.launcher.waitFor();
  const isHeld = () =>
    shop.page.evaluate(() => getComputedStyle(document.documentElement).overflow === "hidden");
  await shop.open();
  expect(await shop.page.getByRole("dialog").getAttribute("aria-modal")).toBe("true");
  expect(await isHeld()).toBe(true);
  const measure = () =>
    shop.panel.locator("button:visible").evaluateAll((buttons) =>
      buttons
        .map((button) => [button.ariaLabel ?? button.textContent, button.getBoundingClientRect()] as const)
        .filter(([, { width, height }]) => Math.min(width, height) < 44)
        .map(([name]) => name),
    );
  expect(await measure()).toEqual([]);
  await shop.say("one");
  await shop.log.getByText("You said one.").waitFor();
  expect(await measure()).toEqual([]);
  await shop.page.setViewportSize({ width: 1000, height: 800 });
  await shop.page.waitForFunction(
    () => !document.querySelector("parley-chat")!.shadowRoot!.querySelector("[aria-modal=true]"),
  );
  expect(await isHeld()).toBe(false);
  await shop.page.setViewportSize(PHONE.viewport);
  await shop.page.getByRole("button", { name: "Close chat" }).click();
  expect(await isHeld()).toBe(false);
});

test.each(["zoom: 1.5", "transform: translate(60px, 40px)", "filter: blur(0)"])(
  "a page whose root has %s leaves launcher and panel in sight",
  async (rule) => {
    await using shop = await openPage({
      head: `<style>html { ${rule}; height: 3000px }</style>`,
      context: { viewport: { width: 1280, height: 720 } },
    });
    await shop.launcher.waitFor();
    await shop.page.evaluate(() => scrollTo(0, 400));
    await shop.open();
    await shop.say("one");
    await shop.log.getByText("You said one.").waitFor();
    for (const part of [shop.launcher, shop.panel]) {
      const { x, y, width, height } = (await part.boundingBox())!;
      expect([x >= 0, y >= 0, x + width <= 1280, y + height <= 720]).toEqual([true, true, true, true]);
    }
  },
);

test("on a phone, a page whose root is zoomed leaves the composer in sight", async () => {
  await using shop = await openPage({
    head: "<style>html { zoom: 1.25 }</style>",
    context: { viewport: PHONE.viewport },
  });
  await shop.open();
  const { y, height } = (await shop.panel.boundingBox())!;
  expect([y, Math.round(height)]).toEqual([0, 780]);
});

test("a layer that the page names keeps the widget below what lies above it", async () => {
  await using shop = await openPage({ attributes: 'data-z-index="5"' });
  await shop.launcher.waitFor();
  const isOnTop = () => shop.page.locator("parley-chat").evaluate((host) => host.matches(":popover-open"));
  expect(await isOnTop()).toBe(false);
  await using other = await openPage();
  await other.launcher.waitFor();
  expect(await other.page.locator("parley-chat").evaluate((host) => host.matches(":popover-open"))).toBe(
    true,
  );
});

test("code and tables that go on beyond their edge fade out there, until they are scrolled to their end", async () => {
  service.chat = () =>
    answer(
      `| a | b |\n|---|---|\n| ${"x".repeat(90)} | y |\n\n\`\`\`\n${"code ".repeat(60)}\n\`\`\`\n\n\`\`\`\nshort\n\`\`\``,
    );
  await using shop = await openPage();
  await shop.open();
  await shop.say("one");
  await shop.log.locator("table").waitFor();
  const masks = () =>
    shop.log
      .locator("pre, .table")
      .evaluateAll((all) => all.map((node) => getComputedStyle(node).maskImage !== "none"));
  expect(await masks()).toEqual([true, true, false]);
  await shop.log
    .locator("pre")
    .first()
    .evaluate((node) => node.scrollTo(10_000, 0));
  await shop.page.waitForFunction(
    () => document.querySelector("parley-chat")!.shadowRoot!.querySelectorAll(".cut").length === 1,
  );
  expect(await masks()).toEqual([true, false, false]);
});

describe.each([
  ["at a desk", {}, 24],
  ["on a phone", { context: PHONE }, 44],
])("below an answer %s, the buttons", (_, options, size) => {
  const NEXT = [{ label: "Track an order", input: "Track an order" }];

  test.each<[string, Record<string, unknown>]>([
    ["an answer", {}],
    ["a refusal", { capabilityAllowed: false, enforcementReason: "DENY_LIST" }],
    ["what may be asked next", { next: NEXT }],
  ])("of %s begin where its text begins, stand evenly, and lie on nothing else", async (__, metadata) => {
    service.chat = () => answer("It is on its way.", metadata);
    await using shop = await openPage(options);
    await shop.open();
    await shop.say("one");
    await shop.log.locator(".thumbs button").last().waitFor();
    const boxes = await shop.log.locator(".tools button").evaluateAll((buttons) =>
      buttons.map((button) => {
        const { left, width, height, top } = button.getBoundingClientRect();
        return { left, width, height, top, icon: button.firstElementChild!.getBoundingClientRect().left };
      }),
    );
    expect(new Set(boxes.flatMap(({ width, height }) => [width, height]))).toEqual(new Set([size]));
    const [copy, up, down] = boxes;
    expect(down!.left - up!.left).toBeCloseTo(up!.left - copy!.left);
    expect(up!.left - copy!.left).toBeGreaterThanOrEqual(size);
    const text = shop.log.locator(metadata["capabilityAllowed"] === false ? ".answer .icon" : ".answer p");
    expect(Math.abs(copy!.icon - (await text.boundingBox())!.x)).toBeLessThan(2);
    const above = (await shop.log.locator(".answer").boundingBox())!;
    expect(copy!.top).toBeGreaterThanOrEqual(above.y + above.height);
  });
});

test("a field for a long draft has no scrollbar's track of another colour", async () => {
  await using shop = await openPage();
  await shop.open();
  const track = await shop.input.evaluate((input) => getComputedStyle(input).scrollbarColor);
  expect(track).toEndWith("rgba(0, 0, 0, 0)");
});
