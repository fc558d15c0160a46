import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";

import { violations } from "../support/axe.ts";
import { embed, type EmbeddedPage } from "../support/browser.ts";
import {
  answer,
  type ChatCall,
  type MockService,
  problem,
  startMockService,
  stream,
} from "../support/mock-service.ts";

setDefaultTimeout(120_000);

let service: MockService;
beforeAll(async () => {
  service = await startMockService();
  service.config = (botId) => ({
    suggestedQuestions: [
      { id: "a", text: "Where is my order?", order: 1 },
      { id: "b", text: "What does shipping cost?", order: 2 },
    ],
    suggestedQuestionsStyle: botId === "cards" ? "message_box" : "pills",
    theme: { primaryColor: "#ffb300" },
    ...(botId === "kiosk" ? { template: { id: "kiosk", bundleUrl: "templates/kiosk.js" } } : {}),
  });
  service.chat = reply;
});
afterAll(() => service[Symbol.asyncDispose]());

const RICH = `# Your order

It is **on its way**, *really*: \`4711\`, see [tracking](https://example.com) or ![map](https://example.com/m.png).

1. One
2. Two
   - deeper

> quoted

| Item | Qty |
|---|---|
| Shirt | 1 |

\`\`\`
code
\`\`\``;

function reply({ body }: ChatCall): Response | Promise<Response> {
  switch (body.input) {
    case "restricted":
      return answer("That is not for a bot to do.", {
        capabilityAllowed: false,
        enforcementReason: "DENY_LIST",
      });
    case "limited":
      return problem(429, "RATE_LIMITED", { "Retry-After": "60" });
    case "capped":
      return problem(429, "MESSAGE_CAP_EXCEEDED", { "Retry-After": "86400" });
    case "failed":
      return problem(500, "INTERNAL_ERROR");
    case "rejected":
      return problem(400, "INVALID_REQUEST");
    case "typing":
      return new Promise<Response>(() => {});
    case "streaming":
      return stream(["Some **text** ", "and more"], { pauseMs: 50, last: "cut" });
    default:
      return answer(RICH);
  }
}

interface State {
  name: string;
  botId?: string;
  reach: (shop: EmbeddedPage) => Promise<void>;
}

function saying(text: string, selector: string): State {
  return {
    name: text,
    async reach(shop) {
      await shop.open();
      await shop.say("hello");
      await shop.log.locator("table").waitFor();
      await shop.say(text);
      await shop.page.locator(`parley-chat ${selector}`).first().waitFor();
    },
  };
}

const STATES: readonly State[] = [
  { name: "closed", reach: ({ launcher }) => launcher.waitFor() },
  {
    name: "unread",
    async reach({ page }) {
      await page.evaluate(() => (window.Parley as { send: (text: string) => void }).send("hello"));
      await page.locator(".badge:not([data-n=''])").waitFor();
    },
  },
  { name: "welcome with pills", reach: (shop) => shop.open() },
  { name: "welcome with message box", botId: "cards", reach: (shop) => shop.open() },
  {
    name: "the kiosk template",
    botId: "kiosk",
    async reach({ launcher, page, log }) {
      await launcher.click();
      await page.getByRole("button", { name: "Where is my order?" }).click();
      await log.locator("table").waitFor();
    },
  },
  saying("answered", ".answer table"),
  saying("restricted", ".restricted"),
  saying("limited", ".countdown"),
  saying("capped", ".cap"),
  saying("failed", ".failure"),
  saying("rejected", ".failure"),
  saying("typing", ".typing"),
  saying("streaming", ".answer .aside"),
];

const ROOTS = { LTR: 'lang="en"', RTL: 'lang="ar" dir="rtl"' };

/** Each value of a dimension meets each value of the two others: direction, colour scheme and width of the window. */
const VIEWS = {
  LTR: [
    { colorScheme: "light", width: 1280 },
    { colorScheme: "dark", width: 360 },
  ],
  RTL: [
    { colorScheme: "light", width: 360 },
    { colorScheme: "dark", width: 1280 },
  ],
} as const;
const HEIGHT = 780;

for (const direction of ["LTR", "RTL"] as const) {
  describe(`axe finds nothing, ${direction}, in light and dark, in a wide and a narrow window:`, () => {
    test.each(STATES)("$name", async ({ botId = "acme", reach }) => {
      const [first] = VIEWS[direction];
      await using shop = await embed({
        serviceUrl: service.url,
        botId,
        root: ROOTS[direction],
        head: "<style>@media (prefers-color-scheme: dark) { body { background: #111; color: #eee } }</style>",
        context: { colorScheme: first.colorScheme, viewport: { width: first.width, height: HEIGHT } },
      });
      await reach(shop);
      for (const { colorScheme, width } of VIEWS[direction]) {
        await shop.page.emulateMedia({ colorScheme });
        await shop.page.setViewportSize({ width, height: HEIGHT });
        expect({ colorScheme, width, found: await violations(shop.page, colorScheme) }).toEqual({
          colorScheme,
          width,
          found: [],
        });
      }
    });
  });
}

test("no animation runs where motion is to be reduced", async () => {
  await using shop = await embed({ serviceUrl: service.url, context: { reducedMotion: "reduce" } });
  await shop.open();
  await shop.say("typing");
  await shop.page.locator(".typing").waitFor();
  expect(
    await shop.page.evaluate(() => document.querySelector("parley-chat")!.shadowRoot!.getAnimations().length),
  ).toBe(0);
});

test("with forced colours the launcher, the input and the buttons keep an outline", async () => {
  await using shop = await embed({ serviceUrl: service.url, context: { forcedColors: "active" } });
  await shop.open();
  const widths = await shop.page.evaluate(() => {
    const root = document.querySelector("parley-chat")!.shadowRoot!;
    return [".launcher", ".panel", ".field", ".send", ".pills button"].map(
      (selector) => getComputedStyle(root.querySelector(selector)!).borderTopWidth,
    );
  });
  expect(widths).toEqual(["1px", "1px", "1px", "1px", "1px"]);
});

test("zoomed to 400 % everything is still reachable", async () => {
  await using shop = await embed({
    serviceUrl: service.url,
    context: { viewport: { width: 320, height: 200 } },
  });
  await shop.open();
  await shop.say("hello");
  await shop.log.locator("table").waitFor();
  const box = (await shop.panel.boundingBox())!;
  expect([box.x, box.y, box.width, box.height]).toEqual([0, 0, 320, 200]);
  for (const name of ["Close chat", "Send"]) {
    const control = (await shop.page.getByRole("button", { name }).boundingBox())!;
    expect(control.y + control.height).toBeLessThanOrEqual(200);
  }
});
